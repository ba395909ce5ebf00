package practice

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"slices"

	"golang.org/x/oauth2"

	"github.com/practicesdk/practice-go/internal/codec"
	"github.com/practicesdk/practice-go/internal/redact"
	"github.com/practicesdk/practice-go/internal/transport"
	"github.com/practicesdk/practice-go/models"
)

// secretHolder is a source of grants with secrets of its own.
type secretHolder interface{ secrets() []string }

func (c ClientCredentials) secrets() []string { return clientSecrets(c.ClientID, c.ClientSecret) }

func (c RefreshCredentials) secrets() []string {
	return append(clientSecrets(c.ClientID, c.ClientSecret), c.RefreshToken.Reveal(), c.AccessToken.Reveal())
}

func (s fixedToken) secrets() []string { return []string{s.token.Reveal()} }

// clientSecrets are the secret of an OAuth client and the header that carries it.
func clientSecrets(id string, secret models.Secret) []string {
	if secret.IsZero() {
		return nil
	}
	pair := url.QueryEscape(id) + ":" + url.QueryEscape(secret.Reveal())
	return []string{secret.Reveal(), base64.StdEncoding.EncodeToString([]byte(pair))}
}

// secrets are those that the cache knows.
func (c *tokenCache) secrets() []string {
	c.mu.Lock()
	token, granted := c.token, c.granted
	c.mu.Unlock()
	return slices.Concat(tokenSecrets(token), tokenSecrets(granted), sourceSecrets(c.source))
}

func sourceSecrets(source grantSource) []string {
	if holder, ok := source.(secretHolder); ok {
		return holder.secrets()
	}
	return nil
}

func tokenSecrets(token *oauth2.Token) []string {
	if token == nil {
		return nil
	}
	return []string{token.AccessToken, token.RefreshToken}
}

// mask returns the mask that takes the secrets of the client and the request out
// of texts of a service: one that repeats a request would put them into errors
// and logs.
func (c *call) mask() redact.Mask {
	if !c.masked {
		c.masked, c.masks = true, c.client.mask(&c.sent, codec.Revealed(c.bodyOf, models.Wire)...)
	}
	return c.masks
}

func (c *Client) mask(sent *transport.Call, more ...string) redact.Mask {
	secrets := append([]string{c.settings.apiKey.Reveal(), sent.Token()}, more...)
	if c.tokens != nil {
		secrets = append(secrets, c.tokens().secrets()...)
	}
	return redact.NewMask(secrets...)
}

// maskedHeader returns header without the secrets.
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

// maskedProblem returns the Problem of a masked text. An escape in the JSON may
// have hidden a secret from the mask.
func maskedProblem(mask redact.Mask, text []byte) models.Problem {
	problem := problemOf(text)
	for _, part := range []*string{&problem.Type, &problem.Title, &problem.Detail, &problem.Instance} {
		*part = mask.Text(*part)
	}
	return problem
}

// mask takes the secrets of a token request out of its failure.
func (e *TokenError) mask(secrets ...string) *TokenError {
	mask := redact.NewMask(slices.DeleteFunc(secrets, func(s string) bool { return s == "" })...)
	e.Code, e.Description, e.Err = mask.Text(e.Code), mask.Text(e.Description), mask.Error(e.Err)
	return e
}
