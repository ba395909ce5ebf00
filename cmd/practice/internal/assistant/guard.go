package assistant

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/cmd/practice/internal/readers"
	"github.com/practicesdk/practice-go/internal/redact"
)

// Reasons for which a request is not sent.
var (
	errPreviewed = errors.New("this is a preview: nothing was sent")
	errBudget    = errors.New("the tool call requires too many requests")
)

// exact is a request as it is sent.
type exact struct {
	method, target string // target: path and query
	body           []byte
}

func (e exact) equal(other exact) bool {
	return e.method == other.method && e.target == other.target && bytes.Equal(e.body, other.body)
}

// permit holds what the requests of one call of a tool may do beyond the reads
// of the policy. It travels in the context.
type permit struct {
	own      []string // ids of reads that the tool itself needs, whose records it does not return
	write    *exact   // the only write; nil: none
	captured *exact   // of a preview: receives the request, which is not sent
	left     atomic.Int64
}

type permitKey struct{}

// permitted returns a context whose requests have a permit for a number of
// requests.
func permitted(ctx context.Context, p *permit, requests int64) context.Context {
	p.left.Store(requests)
	return context.WithValue(ctx, permitKey{}, p)
}

// guard decides once more about each request that leaves: it finds its operation
// by method and path alone. It also checks the scopes of each access token, and
// remembers the credentials, so that no result contains them.
type guard struct {
	policy *Policy
	scopes []string // scopes that the profile asked for; nil: all that are granted
	wide   bool     // whether a token may have more scopes than an assistant needs
	next   http.RoundTripper
	base   *url.URL

	mu      sync.Mutex
	secrets []string
}

// notSent is the title of the response to a request that the guard refuses.
const notSent = "Not sent by the assistant"

// reasonOf returns the reason of the guard in an error of the client, or the
// error.
func reasonOf(err error) error {
	if failed, ok := errors.AsType[*practice.Error](err); ok && failed.Problem.Title == notSent {
		return errors.New(failed.Problem.Detail)
	}
	return err
}

// RoundTrip sends a request that the policy and the permit of its context allow.
// Another one gets the response 403, after which the client knows that nothing
// was executed, and retries nothing.
func (g *guard) RoundTrip(req *http.Request) (*http.Response, error) {
	sent, err := read(req)
	if err != nil {
		return nil, err
	}
	if err := g.check(req, sent); err != nil {
		text, err := json.Marshal(map[string]any{"title": notSent, "status": http.StatusForbidden, "detail": err.Error()})
		return &http.Response{
			StatusCode: http.StatusForbidden, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Request: req, ContentLength: int64(len(text)),
			Header: http.Header{"Content-Type": {"application/problem+json"}}, Body: io.NopCloser(bytes.NewReader(text)),
		}, err
	}
	return g.next.RoundTrip(req)
}

// read returns the request as it is sent, and gives it its body back.
func read(req *http.Request) (sent exact, err error) {
	sent = exact{method: req.Method, target: req.URL.RequestURI()}
	if req.Body == nil {
		return sent, nil
	}
	sent.body, err = io.ReadAll(req.Body)
	_ = req.Body.Close() // it is in memory
	req.Body = io.NopCloser(bytes.NewReader(sent.body))
	return sent, err
}

func (g *guard) check(req *http.Request, sent exact) error {
	o, arguments, err := g.operation(req)
	if err != nil {
		return err
	}
	p, _ := req.Context().Value(permitKey{}).(*permit)
	if p == nil {
		return errors.New("no tool call permits the request")
	}
	if own := o.Class == practice.OperationRead && slices.Contains(p.own, o.ID); !own {
		if reason := g.policy.refusal(o, sent.body); reason != "" {
			return refused(o, reason)
		}
		if _, err := g.policy.bound(o, arguments); err != nil {
			return err
		}
	}
	switch {
	case p.captured != nil:
		*p.captured = sent
		return errPreviewed
	case o.Class != practice.OperationRead && (p.write == nil || !p.write.equal(sent)):
		return refused(o, "the request differs from the preview")
	case p.left.Add(-1) < 0:
		return errBudget
	}
	return g.checkToken(req.Header)
}

func refused(o practice.Operation, reason string) error {
	return fmt.Errorf("%s was refused: %s", o.ID, reason)
}

// operation returns the only operation whose method and path are those of a
// request, with the arguments in path and query.
func (g *guard) operation(req *http.Request) (practice.Operation, map[string]any, error) {
	path, below := strings.CutPrefix(req.URL.EscapedPath(), strings.TrimSuffix(g.base.EscapedPath(), "/"))
	found, arguments, alone := readers.Match(g.policy.operations, req.Method, path)
	for _, value := range arguments {
		text := value.(string)
		alone = alone && text != "" && text != "." && text != ".." && !strings.ContainsAny(text, `/\`)
	}
	if !below || !strings.EqualFold(req.URL.Host, g.base.Host) || req.URL.Scheme != g.base.Scheme {
		alone = false
	}
	if !alone {
		return found, nil, fmt.Errorf("%s %s was refused: it does not match exactly one operation", req.Method, req.URL.EscapedPath())
	}
	query, err := url.ParseQuery(req.URL.RawQuery)
	for name, values := range query {
		if !slices.ContainsFunc(found.Parameters, func(p practice.Parameter) bool { return p.In == practice.InQuery && p.Name == name }) {
			return found, nil, refused(found, "the operation has no parameter "+name)
		}
		arguments[name] = strings.Join(values, ",")
	}
	if parameter, named := matterParameter(found); named && arguments[parameter.Name] == nil {
		arguments[parameter.Name] = "" // a filter that is left out names every matter
	}
	return found, arguments, err
}

// checkToken refuses an access token with more scopes than an assistant needs.
// The scopes of a token that cannot be read are those that the profile asked
// for.
func (g *guard) checkToken(header http.Header) error {
	token := strings.TrimPrefix(header.Get("Authorization"), "Bearer ")
	g.remember(token, header.Get("X-Api-Key"))
	if g.wide {
		return nil
	}
	has := claimed(token)
	if len(has) == 0 {
		has = g.scopes
	}
	if len(has) == 0 {
		return errors.New("the scopes of the access token are unknown: sign in with practice login --for-assistants, or use --wide-token to accept the token")
	}
	needed := append(g.policy.Scopes(), "openid", "profile", "email", "offline_access")
	for _, scope := range has {
		if !slices.Contains(needed, scope) {
			return fmt.Errorf("the access token has the scope %s, which the assistant does not need: sign in with practice login --for-assistants, or use --wide-token to accept the token", scope)
		}
	}
	return nil
}

// claimed returns the scopes in an access token of RFC 9068; none of another
// one. They are not verified: the service does that.
func claimed(token string) []string {
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		return nil
	}
	var claims struct{ Scope any }
	text, _ := base64.RawURLEncoding.DecodeString(parts[1])
	if json.Unmarshal(text, &claims) != nil || claims.Scope == nil {
		return nil
	}
	return strings.Fields(strings.Trim(fmt.Sprint(claims.Scope), "[]"))
}

// remember keeps credentials that no result may contain.
func (g *guard) remember(secrets ...string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, secret := range secrets {
		if secret != "" && !slices.Contains(g.secrets, secret) {
			g.secrets = append(g.secrets, secret)
		}
	}
}

// masked returns a text without the credentials that were sent.
func (g *guard) masked(text string) string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return redact.NewMask(g.secrets...).Text(text)
}
