package auth

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"math"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/practicesdk/practice-go/internal/codec"
	"github.com/practicesdk/practice-go/internal/redact"
	"github.com/practicesdk/practice-go/internal/transport"
	"github.com/practicesdk/practice-go/models"
)

// Limits of a response of the token endpoint.
const (
	maxResponse = 1 << 20
	maxLifetime = math.MaxInt32 // in seconds
)

const refreshToken = "refresh_token"

var errNoTokens = errors.New("the response of the token endpoint contains no access token")

// endpoint is a token endpoint and a client of it. A public client has no
// secret, so that its id is sent only in the form.
type endpoint struct {
	url      string
	clientID string
	secret   models.Secret
}

// tokens sends a request to the token endpoint. With an error it returns the
// new refresh token, if the response has one, because the one that was sent may
// be spent.
func (e endpoint) tokens(ctx context.Context, client *http.Client, form url.Values) (Tokens, error) {
	form.Set("client_id", e.clientID)
	tokens, err := e.exchange(ctx, client, form)
	if err != nil {
		own := clientSecrets(e.clientID, e.secret)
		return tokens, tokenError(err).mask(append(own, form.Get(refreshToken), form.Get("code"), form.Get("code_verifier"))...)
	}
	return tokens, nil
}

func (e endpoint) exchange(ctx context.Context, client *http.Client, form url.Values) (Tokens, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, e.url, strings.NewReader(form.Encode()))
	if err != nil {
		return Tokens{}, err
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if !e.secret.IsZero() {
		req.SetBasicAuth(url.QueryEscape(e.clientID), url.QueryEscape(e.secret.Reveal()))
	}
	resp, err := client.Do(req)
	if err != nil {
		return Tokens{}, err
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxResponse))
	if err != nil && succeeded(resp) {
		return Tokens{RefreshToken: models.NewSecret(jsonMembers(body)[refreshToken])}, err
	}
	if err != nil {
		return Tokens{}, err
	}
	return readResponse(resp, body)
}

func succeeded(resp *http.Response) bool { return resp.StatusCode >= 200 && resp.StatusCode <= 299 }

// readResponse returns the tokens of a response. Its text decides whether that
// is JSON or a form, because some services give it another media type.
func readResponse(resp *http.Response, text []byte) (Tokens, error) {
	members := membersOf(text)
	code := members["error"]
	if !succeeded(resp) {
		wait, _ := transport.RetryAfter(resp.Header)
		return Tokens{}, &TokenError{StatusCode: resp.StatusCode, Code: code, Description: members["error_description"], RetryAfter: wait}
	}
	tokens := Tokens{RefreshToken: models.NewSecret(members[refreshToken])}
	switch access := members["access_token"]; {
	case code != "":
		return tokens, &TokenError{StatusCode: resp.StatusCode, Code: code, Description: members["error_description"]}
	case access == "":
		return tokens, errNoTokens
	case !transport.ValidToken(access):
		return tokens, transport.ErrBadToken
	default:
		tokens.AccessToken, tokens.Expiry = models.NewSecret(access), expiryOf(members["expires_in"], time.Now())
		return tokens, nil
	}
}

// membersOf returns the members of a response that are read, each a text or a
// number. Blank ones and those of another kind are left out.
func membersOf(text []byte) map[string]string {
	if text = bytes.TrimSpace(text); bytes.HasPrefix(text, []byte("{")) || bytes.HasPrefix(text, []byte("[")) {
		return jsonMembers(text)
	}
	members := map[string]string{}
	form, _ := url.ParseQuery(string(text)) // a web page has none of the names
	for name, values := range form {
		members[name] = strings.TrimSpace(values[0])
	}
	return members
}

// jsonMembers returns the members of an object up to the first syntax error, and
// a refresh token after it, because it may be the only valid one. A text that is
// not an object has none.
func jsonMembers(text []byte) map[string]string {
	object := string(bytes.TrimSpace(text))
	members, unread := map[string]string{}, object
	for name, value := range codec.Each(object) {
		members[strings.ToLower(name)] = textOf(value)
		_, unread, _ = strings.Cut(unread, value)
	}
	if _, read := members[refreshToken]; !read && strings.HasPrefix(object, "{") {
		members[refreshToken] = refreshTokenIn(unread)
	}
	return members
}

// refreshTokenIn returns the first refresh token in a text that is not valid
// JSON, or "".
func refreshTokenIn(text string) (token string) {
	for found := true; found && token == ""; token = strings.TrimSpace(token) {
		_, text, found = strings.Cut(text, `"`+refreshToken+`"`)
		if value := strings.TrimLeft(text, ": \t\r\n"); strings.HasPrefix(value, `"`) { // an object may be long
			_ = json.NewDecoder(strings.NewReader(value)).Decode(&token) // stays empty if the text is cut
		}
	}
	return token
}

// textOf returns a JSON text or number, or "".
func textOf(value string) string {
	var text string
	if json.Unmarshal([]byte(value), &text) == nil {
		return strings.TrimSpace(text)
	}
	var number json.Number
	_ = json.Unmarshal([]byte(value), &number) // stays empty for other values
	return number.String()
}

// expiryOf returns the expiry of a lifetime in seconds, in any form of a
// number, or the zero time if it has none.
func expiryOf(lifetime string, now time.Time) time.Time {
	seconds, err := strconv.ParseFloat(strings.TrimSpace(lifetime), 64)
	if !(seconds > 0) || err != nil && !math.IsInf(seconds, 1) {
		return time.Time{}
	}
	return now.Add(time.Duration(min(seconds, maxLifetime) * float64(time.Second)))
}

// tokenError removes secrets from a failure: errors of net/http contain the
// whole address.
func tokenError(err error) *TokenError {
	if refused, ok := errors.AsType[*TokenError](err); ok {
		return refused
	}
	return &TokenError{Err: redact.Address(err)}
}
