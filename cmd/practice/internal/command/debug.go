package command

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	practice "github.com/practicesdk/practice-go"
)

// Values of --debug.
const (
	debugRequests = "requests"
	debugBodies   = "bodies"
)

// shownBody is the maximum number of bytes of a body that --debug=bodies
// prints.
const shownBody = 64 << 10

// debugged prints each attempt to stderr, without credentials. Token requests
// and transfers to the storage do not pass through it.
type debugged struct {
	*app
	next   http.RoundTripper
	secret map[string]bool // names of members that are not printed; nil without bodies
}

// debugging returns the client option that shows requests with --debug, and long
// waits. It returns an error if the value of --debug is unknown.
func (a *app) debugging() (practice.ClientOption, error) {
	var secret map[string]bool
	switch a.debug {
	case "", debugRequests:
	case debugBodies:
		secret = secretMembers
	default:
		return nil, misuse{fmt.Errorf("--debug: %q is not one of %s, %s", a.debug, debugRequests, debugBodies)}
	}
	return practice.WithMiddleware(func(next http.RoundTripper) http.RoundTripper {
		if a.debug != "" {
			next = debugged{a, next, secret}
		}
		return patient{a, next}
	}), nil
}

func (d debugged) RoundTrip(r *http.Request) (*http.Response, error) {
	d.say("> %s %s", r.Method, r.URL)
	if r.GetBody != nil && d.secret != nil {
		if body, err := r.GetBody(); err == nil {
			d.show("> ", &body)
			_ = body.Close() // it was only read
		}
	}
	begun := time.Now()
	answer, err := d.next.RoundTrip(r)
	took := time.Since(begun).Round(time.Millisecond)
	if err != nil {
		d.say("< no response after %s: %v", took, err)
		return nil, err
	}
	d.say("< %s after %s, request %s", answer.Status, took, r.Header.Get("RequestId"))
	if d.secret != nil {
		d.show("< ", &answer.Body)
	}
	return answer, nil
}

// show prints a body, which can be read again. It does not print a body that is
// not JSON, because it cannot mask secrets in it.
func (d debugged) show(mark string, body *io.ReadCloser) {
	text, err := io.ReadAll(io.LimitReader(*body, shownBody))
	*body = struct {
		io.Reader
		io.Closer
	}{io.MultiReader(bytes.NewReader(text), *body), *body}
	value, invalid := decoded(text)
	switch {
	case len(text) == 0 && err == nil:
	case invalid != nil:
		d.say("%s%d bytes or more that are not JSON", mark, len(text))
	default:
		d.say("%s%s", mark, encode(d.without(value)))
	}
}

// without returns a value without its secret members.
func (d debugged) without(value any) any {
	switch value := value.(type) {
	case map[string]any:
		for name, member := range value {
			if d.secret[strings.ToLower(name)] {
				value[name] = "[redacted]"
				continue
			}
			value[name] = d.without(member)
		}
	case []any:
		for i, element := range value {
			value[i] = d.without(element)
		}
	}
	return value
}

// secretMembers holds the lower-case names of all members that package models
// holds as a secret. It must not be modified.
var secretMembers = map[string]bool{
	"downloadurl": true, "key": true, "link": true, "password": true, "paymentinformation": true, "pdfpaymentdetail": true, "uploadurl": true, "url": true,
}
