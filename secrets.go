package practice

import (
	"net/http"

	"github.com/practicesdk/practice-go/internal/codec"
	"github.com/practicesdk/practice-go/internal/redact"
	"github.com/practicesdk/practice-go/internal/transport"
	"github.com/practicesdk/practice-go/models"
)

// mask returns a mask for the secrets of the client and of the request. A
// service may echo a request, and its texts appear in errors and logs.
func (c *call) mask() redact.Mask {
	if c.masks == nil {
		mask := c.client.mask(&c.sent, codec.Revealed(c.bodyOf, models.Wire)...)
		c.masks = &mask
	}
	return *c.masks
}

func (c *Client) mask(sent *transport.Call, more ...string) redact.Mask {
	secrets := append([]string{c.settings.apiKey.Reveal(), sent.Token()}, more...)
	return redact.NewMask(append(secrets, c.tokens.secrets()...)...)
}

// maskAttempt removes the secrets of the client from the error of an attempt.
func (c *call) maskAttempt(err error) error { return c.client.mask(&c.sent).Error(err) }

// maskedHeader returns a copy of header without secrets.
func maskedHeader(mask redact.Mask, header http.Header) http.Header {
	clean, own := header, false
	for name, values := range header {
		for i, value := range values {
			text := mask.Text(value)
			if text == value {
				continue
			}
			if !own {
				clean, own = header.Clone(), true
			}
			clean[name][i] = text
		}
	}
	return clean
}

// maskedProblem decodes a masked text and masks it again, because a JSON escape
// may have hidden a secret from the mask.
func maskedProblem(mask redact.Mask, text []byte) models.Problem {
	problem := problemOf(text)
	for _, part := range []*string{&problem.Type, &problem.Title, &problem.Detail, &problem.Instance} {
		*part = mask.Text(*part)
	}
	return problem
}
