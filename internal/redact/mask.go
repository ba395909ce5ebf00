package redact

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"net/url"
	"slices"
	"strings"
)

// Mask takes secrets out of texts that somebody else wrote. The zero value takes
// out nothing.
type Mask struct{ forms []string }

// masked stands where a secret stood.
const masked = "[redacted]"

// A secret that is shorter than sure is masked only where it stands alone, and
// one shorter than least not at all: it would be found in words.
const (
	least = 4
	sure  = 8
)

// NewMask returns a Mask for secrets, as they are and as they are escaped in
// addresses, forms and JSON.
func NewMask(secrets ...string) Mask {
	var m Mask
	for _, secret := range secrets {
		if len(secret) < least {
			continue
		}
		quoted, err := json.Marshal(secret)
		m.forms = append(m.forms, secret, url.QueryEscape(secret), url.PathEscape(secret))
		if err == nil {
			m.forms = append(m.forms, string(quoted[1:len(quoted)-1]))
		}
	}
	slices.SortFunc(m.forms, func(a, b string) int { // the longer first: one may hold another
		return cmp.Or(len(b)-len(a), strings.Compare(a, b))
	})
	m.forms = slices.Compact(m.forms)
	return m
}

// Text returns text without the secrets.
func (m Mask) Text(text string) string {
	for _, form := range m.forms {
		if strings.Contains(text, form) {
			text = replaced(text, form)
		}
	}
	return text
}

// Bytes returns text without the secrets: the same slice when there is none in it.
func (m Mask) Bytes(text []byte) []byte {
	for _, form := range m.forms {
		if bytes.Contains(text, []byte(form)) {
			return []byte(m.Text(string(text)))
		}
	}
	return text
}

func replaced(text, form string) string {
	if len(form) >= sure {
		return strings.ReplaceAll(text, form, masked)
	}
	var b strings.Builder
	for {
		before, after, found := strings.Cut(text, form)
		if !found {
			return b.String() + text
		}
		b.WriteString(before)
		if inWord(b.String(), after) {
			b.WriteString(form)
		} else {
			b.WriteString(masked)
		}
		text = after
	}
}

// inWord reports whether what stands between the two goes on on either side.
func inWord(before, after string) bool {
	return before != "" && ofWord(before[len(before)-1]) || after != "" && ofWord(after[0])
}

func ofWord(c byte) bool {
	return c == '-' || c == '_' || c >= '0' && c <= '9' || c|' ' >= 'a' && c|' ' <= 'z' || c >= 0x80
}

// Error returns an error whose text is without the secrets: err itself when there
// is none in it. errors.Is and errors.As examine err.
func (m Mask) Error(err error) error {
	if err == nil {
		return nil
	}
	text := err.Error()
	clean := m.Text(text)
	if clean == text {
		return err
	}
	return &maskedError{text: clean, err: func() error { return err }}
}

// maskedError holds the error in a function, into which no verb of fmt looks.
type maskedError struct {
	text string
	err  func() error
}

func (e *maskedError) Error() string        { return e.text }
func (e *maskedError) Is(target error) bool { return errors.Is(e.err(), target) }
func (e *maskedError) As(target any) bool   { return errors.As(e.err(), target) }
