package acceptance_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/oauth2"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/auth"
	"github.com/practicesdk/practice-go/internal/operations/variants"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/mirror"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
	"github.com/practicesdk/practice-go/requestid"
	"github.com/practicesdk/practice-go/webhook"
)

// secretHunt records every secret sent over the wire and everything that the
// library outputs in any form.
type secretHunt struct {
	mu     sync.Mutex
	known  map[string]string // description of each secret, by its text
	made   map[string]string // secrets that appeared on the wire since the last check
	output bytes.Buffer
}

const markedHookKey = "marked-webhook-key-0123"

// markedIDKey returns the key of the request id signer.
func markedIDKey() []byte { return bytes.Repeat([]byte("own-id!"), 5)[:requestid.KeySize] }

func newSecretHunt(server *practicetest.Server) *secretHunt {
	c, idKey := server.Credentials(), markedIDKey()
	return &secretHunt{made: map[string]string{}, known: map[string]string{
		c.APIKey: "API key", c.ClientSecret: "client secret", c.AccessToken: "access token", c.RefreshToken: "refresh token",
		markedHookKey: "webhook key", string(idKey): "own-id key", hex.EncodeToString(idKey): "own-id key in hexadecimal",
		base64.StdEncoding.EncodeToString(idKey)[:40]: "own-id key in base64", strings.Trim(fmt.Sprintf("%d", idKey), "[]"): "own-id key in numbers",
		"Signature=": "query of a pre-signed address",
	}}
}

// wire records the secrets that appear on the wire: tokens and signed queries.
func (h *secretHunt) wire(next http.RoundTripper) http.RoundTripper {
	return testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
		if authorization := req.Header.Get("Authorization"); authorization != "" {
			_, token, _ := strings.Cut(authorization, " ")
			h.note(token, "credential of the Authorization header")
		}
		if req.Header.Get("x-api-key") == "" && req.URL.RawQuery != "" {
			h.note(req.URL.RawQuery, "query of a pre-signed address")
		}
		resp, err := next.RoundTrip(req)
		if err == nil && strings.HasSuffix(req.URL.Path, "/token") {
			h.noteTokens(resp)
		}
		return resp, err
	})
}

func (h *secretHunt) noteTokens(resp *http.Response) {
	text, err := io.ReadAll(io.LimitReader(resp.Body, 1<<12))
	rest := io.Reader(resp.Body)
	if err != nil {
		rest = iotest.ErrReader(err)
	}
	resp.Body = struct {
		io.Reader
		io.Closer
	}{io.MultiReader(bytes.NewReader(text), rest), resp.Body}
	var granted map[string]any
	if json.Unmarshal(text, &granted) == nil {
		for _, name := range []string{"access_token", "refresh_token"} {
			if token, ok := granted[name].(string); ok {
				h.note(token, name)
			}
		}
	}
}

func (h *secretHunt) note(secret, what string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(secret) >= 6 {
		h.made[secret] = what
	}
}

// Write collects log output.
func (h *secretHunt) Write(p []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.output.Write(p)
}

// hiddenWriter is a writer whose destination fmt cannot print.
type hiddenWriter func([]byte) (int, error)

func (f hiddenWriter) Write(p []byte) (int, error) { return f(p) }

// show prints values with every verb, including what their pointers and wrapped
// errors refer to.
func (h *secretHunt) show(values ...any) {
	for _, v := range values {
		_, _ = fmt.Fprintf(h, "%v\n%+v\n%#v\n%s\n%q\n", v, v, v, v, v)
		text, _ := json.Marshal(v) // a value that cannot be encoded shows nothing
		_, _ = h.Write(text)
		for _, handler := range []slog.Handler{slog.NewTextHandler(h, nil), slog.NewJSONHandler(h, nil)} {
			slog.New(handler).Error("value", "v", v)
		}
		switch v := v.(type) {
		case interface{ Unwrap() error }:
			h.show(v.Unwrap())
		case interface{ Unwrap() []error }:
			for _, err := range v.Unwrap() {
				h.show(err)
			}
		}
	}
}

// showPanic makes a call that panics, and prints the value and the stack.
func (h *secretHunt) showPanic(call func()) {
	defer func() {
		h.show(recover())
		_, _ = h.Write(debug.Stack())
	}()
	call()
}

// check fails if the output since the last check is empty or contains a secret.
func (h *secretHunt) check(t testing.TB) {
	t.Helper()
	h.mu.Lock()
	defer h.mu.Unlock()
	output := h.output.Bytes()
	require.NotEmpty(t, output)
	for _, secrets := range []map[string]string{h.known, h.made} {
		for secret, what := range secrets {
			if at := bytes.Index(output, []byte(secret)); at >= 0 {
				t.Errorf("the %s is in the output:\n%s", what, output[max(0, at-200):min(len(output), at+200)])
			}
		}
	}
	h.output.Reset()
	clear(h.made)
}

// options returns the options of a client with every kind of secret and every
// kind of observer.
func (h *secretHunt) options(t testing.TB, server *practicetest.Server, level slog.Level, format func(io.Writer, *slog.HandlerOptions) slog.Handler) []practice.ClientOption {
	t.Helper()
	ids, err := requestid.NewSigner(markedIDKey())
	require.NoError(t, err)
	h.show(ids)
	options := []practice.ClientOption{
		practice.WithHTTPClient(&http.Client{Transport: h.wire(server.HTTPClient().Transport)}),
		practice.WithAPIKey(server.Credentials().APIKey), practice.WithRequestIDSigner(ids), practice.WithMaxBody(1 << 14),
		practice.WithLoggedBodies(practice.WholeBodies), practice.WithLogger(slog.New(format(hiddenWriter(h.Write), &slog.HandlerOptions{Level: level, AddSource: true}))),
		practice.WithObserver(func(_ context.Context, o practice.Observation) { h.show(o) }),
		practice.WithTracer(shownTraces(func() *secretHunt { return h })),
	}
	h.show(options)
	return options
}

// shownTraces prints what a tracer receives. It is a function so that printing
// the client does not print the hunt.
type shownTraces func() *secretHunt

func (s shownTraces) Start(ctx context.Context, started practice.Observation, header http.Header) context.Context {
	s().show(started, header)
	_, _ = fmt.Fprintf(s(), "%v %+v %s", ctx, ctx, ctx) // other verbs would read a context in use, which is a race
	return ctx
}

func (s shownTraces) End(ctx context.Context, ended practice.Observation) {
	s().show(ended)
	_, _ = fmt.Fprintf(s(), "%v %+v %s", ctx, ctx, ctx)
}

// secretFaults returns the ways in which a call can fail.
func secretFaults(operation string) []practicetest.Fault {
	faults := []practicetest.Fault{
		{Kind: practicetest.FaultLatency}, // no failure
		{Status: 302}, {Status: 400}, {Status: 401, Times: -1}, {Status: 403}, {Status: 404}, {Status: 409}, {Status: 500, Times: -1},
		{Kind: practicetest.FaultRateLimit, Times: -1}, {Kind: practicetest.FaultResetBefore, Times: -1}, {Kind: practicetest.FaultResetAfter, Times: -1},
		{Kind: practicetest.FaultTruncated, Times: -1}, {Kind: practicetest.FaultEndless}, {Kind: practicetest.FaultHTML, Status: 200},
		{Kind: practicetest.FaultStall, Times: -1}, {Status: 400, Body: `{"detail":[1,{"x":"\u0000"}]`, ContentType: "application/json"},
	}
	for i := range faults {
		faults[i].Operation = operation
	}
	return faults
}

// grantsWithSecrets returns the ways to sign in. Each prints its grants.
func (h *secretHunt) grantsWithSecrets(server *practicetest.Server) []practice.ClientOption {
	shown := func(credentials auth.Credentials) practice.ClientOption {
		return practice.WithTokens(auth.Source{Credentials: credentials, GrantHook: func(g auth.Grant) { h.show(g) }})
	}
	return []practice.ClientOption{
		practice.WithAccessToken(server.Credentials().AccessToken), shown(testkit.ClientGrant(server)), shown(testkit.RefreshGrant(server)),
		practice.WithTokens(auth.FromOAuth2(oauth2.StaticTokenSource(&oauth2.Token{AccessToken: server.Credentials().AccessToken}))),
	}
}

// TestNoSecretInAnyOutput runs every operation with every failure and searches
// all output for secrets. Log levels, log formats and ways to sign in
// alternate: each operation runs with all of them, and each failure with every
// combination of them at some operation. Failures of the token endpoint, which
// are independent of the operation, alternate as well.
func TestNoSecretInAnyOutput(t *testing.T) {
	t.Parallel()
	text := func(w io.Writer, o *slog.HandlerOptions) slog.Handler { return slog.NewTextHandler(w, o) }
	object := func(w io.Writer, o *slog.HandlerOptions) slog.Handler { return slog.NewJSONHandler(w, o) }
	formats := []func(io.Writer, *slog.HandlerOptions) slog.Handler{text, object}
	levels := []slog.Level{slog.LevelDebug, slog.LevelInfo, slog.LevelWarn, slog.LevelError}
	forSomeOperations(t, 16, func(t *operationRow, server *practicetest.Server) {
		hunt := newSecretHunt(server)
		grants, atTheToken := hunt.grantsWithSecrets(server), secretFaults("token")
		few := len(atTheToken) / 4
		atTheToken = atTheToken[t.index/32%4*few:][:few]
		for i, fault := range slices.Concat(secretFaults(t.op.ID), atTheToken) {
			turn := t.index + i
			level, format, grant := levels[turn%4], formats[turn/16%2], grants[(turn+turn/4)%4]
			server.ClearFaults()
			server.Inject(fault)
			client := server.Client(t, append(hunt.options(t, server, level, format), grant)...)
			var response practice.Response
			var err error
			for _, mistake := range server.Tolerate(func() {
				err = t.op.Call(t.Context(), client, server.Firm(), practice.WithResponse(&response), practice.WithRetries(1))
			}) {
				assert.Contains(t, mistake, "client credentials", "not every way to sign in is for every operation")
			}
			hunt.show(err, response, client)
			hunt.check(t)
		}
		server.ClearFaults() // a client with a fixed token never requests one
		for _, wrong := range variants.Refused(t.op, t.described, t.document, server.Firm()) {
			hunt.show(t.op.CallWith(t.Context(), server.Client(t, grants[0]), wrong.Arguments))
			hunt.check(t)
		}
	})
}

// TestNoSecretInTheOutputOfTransfers checks transfers of files, whose addresses
// are secrets.
func TestNoSecretInTheOutputOfTransfers(t *testing.T) {
	t.Parallel()
	for _, operation := range []string{"storage.put", "storage.get"} {
		for _, fault := range secretFaults(operation) {
			t.Run(fmt.Sprintf("%s %v %d", operation, fault.Kind, fault.Status), func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					server := practicetest.New(t, practicetest.WithStrict(false))
					server.Inject(fault)
					hunt := newSecretHunt(server)
					client := server.Client(t, append(hunt.options(t, server, slog.LevelDebug, func(w io.Writer, o *slog.HandlerOptions) slog.Handler {
						return slog.NewTextHandler(w, o)
					}), hunt.grantsWithSecrets(server)[1])...)
					transferShown(t.Context(), hunt, client, server.Firm(), t.TempDir())
					hunt.check(t)
				})
			})
		}
	}
}

// transferShown transfers files in every way and prints the results.
func transferShown(ctx context.Context, hunt *secretHunt, client *practice.Client, firm practicetest.Firm, dir string) {
	upload := practice.Upload{Name: "a.txt", Body: strings.NewReader("content")}
	file, err := client.Documents.Upload(ctx, firm.MatterID, upload)
	hunt.show(file, err, upload)
	_, err = client.Documents.Download(ctx, firm.MatterID, firm.FileID, &bytes.Buffer{}, practice.DownloadOptions{})
	hunt.show(err)
	err = mirror.Pull(ctx, client, firm.MatterID, dir, mirror.Options{
		FolderID: firm.FolderID, Result: func(r mirror.Result) { hunt.show(r) },
	})
	hunt.show(err)
	where, err := client.Documents.GetUploadURL(ctx, firm.MatterID, firm.FileID)
	hunt.show(where, err)
	from, err := client.Documents.GetDownloadURL(ctx, firm.MatterID, firm.FileID, practice.DownloadURLOptions{})
	hunt.show(from, err)
}

// TestNoSecretInTheOutputOfWebhooks prints everything about a subscription and
// its receiver.
func TestNoSecretInTheOutputOfWebhooks(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		hunt := newSecretHunt(server)
		wanted := testkit.SubscriptionOf("matter.updated")
		wanted.Key = models.Some(models.NewSecret(markedHookKey))
		made, err := client.Webhooks.Create(t.Context(), wanted)
		hunt.show(wanted, made, err)
		keys := webhook.Keys(markedHookKey, markedHookKey+"-old")
		signer, err := webhook.NewSigner("client", markedHookKey)
		require.NoError(t, err)
		ids, err := requestid.NewSigner(markedIDKey())
		require.NoError(t, err)
		verifier, err := webhook.NewVerifier("client", keys)
		require.NoError(t, err)
		receiver, err := webhook.NewReceiver("client", keys, webhook.IgnoreOwn(ids),
			webhook.WithErrorHook(func(_ context.Context, e *webhook.DeliveryError) { hunt.show(e) }))
		require.NoError(t, err)
		webhook.OnAny(receiver, func(_ context.Context, e *webhook.Event[json.RawMessage]) error {
			hunt.show(e)
			panic(fmt.Sprintf("%v %+v %#v", e, signer, receiver))
		})
		hunt.show(keys, signer, ids, verifier, receiver)
		for _, requestID := range []string{"request-1", ids.NewRequestID()} {
			for _, forged := range []bool{false, true} {
				deliverShown(t, hunt, receiver, verifier, signer, requestID, forged)
			}
		}
		require.NoError(t, receiver.Shutdown(t.Context()))
		hunt.check(t)
	})
}

// deliverShown delivers a notification and prints the response and the result.
func deliverShown(t *testing.T, hunt *secretHunt, receiver http.Handler, verifier *webhook.Verifier, signer *webhook.Signer, requestID string, forged bool) {
	t.Helper()
	const body = `{"type":"matter.updated","requestId":"r","payload":{"id":"1"}}`
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "https://hooks.example.test/in", strings.NewReader(body))
	require.NoError(t, err)
	require.NoError(t, signer.Sign(req.Header, time.Now(), requestID))
	if forged {
		req.Header.Set(webhook.HeaderSignature, strings.Repeat("0", 64))
	}
	verified, err := verifier.Verify(req.Header)
	hunt.show(verified, err)
	answer := &shownAnswer{hunt: hunt, header: http.Header{}}
	receiver.ServeHTTP(answer, req)
	hunt.show(answer.header)
}

// shownAnswer is the response to a delivery; it is part of the output.
type shownAnswer struct {
	hunt   *secretHunt
	header http.Header
}

func (s *shownAnswer) Header() http.Header         { return s.header }
func (s *shownAnswer) Write(p []byte) (int, error) { return s.hunt.Write(p) }
func (s *shownAnswer) WriteHeader(int)             {}

// TestNoSecretInSettingsAndPanics prints the values that hold secrets before
// anything is sent, and the panics of functions of the caller.
func TestNoSecretInSettingsAndPanics(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, _ *practice.Client) {
		hunt, known := newSecretHunt(server), server.Credentials()
		secret := models.NewSecret(known.ClientSecret)
		hunt.show(
			auth.ClientCredentials{TokenURL: server.TokenURL(), ClientID: "id", ClientSecret: secret},
			auth.RefreshCredentials{ClientSecret: secret, RefreshToken: models.NewSecret(known.RefreshToken)},
			auth.Grant{RefreshToken: models.NewSecret(known.RefreshToken)},
		)
		for _, bad := range []practice.ClientOption{
			practice.WithAPIKey(known.APIKey + "\r\nx: y"), practice.WithAccessToken(known.AccessToken + "\n"),
			practice.WithUserAgent(known.AccessToken + "\n"), practice.WithUserID(known.AccessToken + "\n"), practice.WithHeader("x-api-key", known.APIKey),
		} {
			_, err := practice.NewClient(server.BaseURL(), practice.WithoutCredentials(), bad)
			require.Error(t, err)
			hunt.show(err, bad)
		}
		_, err := practice.NewClient("https://user:"+known.ClientSecret+"@api.example.test", practice.WithoutCredentials())
		hunt.show(err)

		fails := errors.New("out of order")
		for _, grant := range hunt.grantsWithSecrets(server) {
			for _, broken := range []practice.ClientOption{
				practice.WithObserver(func(_ context.Context, o practice.Observation) { panic(o) }),
				practice.WithMiddleware(func(http.RoundTripper) http.RoundTripper {
					return testkit.RoundTripper(func(*http.Request) (*http.Response, error) { panic(fails) })
				}),
			} {
				client := server.Client(t, grant, broken)
				hunt.show(client, client.With(practice.WithUserID("u")), client.ForAccount("a"), client.Staff, *client)
				hunt.showPanic(func() { hunt.show(client.Staff.Get(t.Context(), server.Firm().StaffID)) })
			}
		}
		hunt.check(t)
	})
}

// TestNoErrorShowsAnAnswerOrAnAddress checks that printing an error does not
// print the response or the addresses in its fields, which may contain keys or
// signatures.
func TestNoErrorShowsAnAnswerOrAnAddress(t *testing.T) {
	t.Parallel()
	const (
		marker     = "zqxj-secret-answer"
		errorVerbs = "vsqxXdob"
		anyVerb    = errorVerbs + "OctTeEfFgGU"
	)
	cause := &url.Error{Op: "Put", URL: "https://files.example.test/" + marker, Err: errors.New("refused")}
	attempts := []practice.Attempt{{Number: 1, Err: &practice.TransferError{Operation: "x", Err: errors.New("broken")}}}
	body := []byte(`{"downloadUrl":"https://files.example.test/` + marker + `"}`)
	problem := models.Problem{Detail: "d", RawErrors: json.RawMessage(`["` + marker + `"]`)}
	answer := practice.Error{Operation: "x", StatusCode: 400, Header: http.Header{"Location": {marker}}, Problem: problem, Body: body, Attempts: attempts}
	decode := practice.DecodeError{Operation: "x", StatusCode: 200, Body: body, Err: errors.New("broken")}
	record := practice.RecordError{Operation: "x", Raw: body, Err: errors.New("broken")}
	silent := practice.NoAnswerError{Operation: "x", Attempts: attempts, Err: &quietError{cause}}
	for _, shown := range []struct {
		value any
		verbs string
	}{
		{&answer, anyVerb}, {&decode, anyVerb}, {&record, anyVerb}, {&silent, anyVerb},
		{answer, anyVerb}, {decode, anyVerb}, {record, anyVerb}, {silent, anyVerb},
		{&practice.AmbiguousWriteError{Operation: "x", Err: &answer}, anyVerb}, {&practice.TransferError{Operation: "x", Err: &quietError{cause}}, anyVerb},
		{&practice.FolderError{Err: &decode}, anyVerb}, {&practice.PagingError{Err: &decode}, anyVerb}, {&auth.TokenError{Err: &quietError{cause}}, anyVerb},
		{&mirror.Error{Operation: "x", Failed: []mirror.Result{{Err: &decode}}, Err: &answer}, anyVerb},
		{struct{ Err error }{&decode}, anyVerb}, {[]error{&record}, anyVerb}, {map[string]any{"e": answer}, anyVerb},
		// For a verb that an error does not support, package fmt prints the
		// fields of its own wrappers.
		{errors.Join(&decode, &record), errorVerbs}, {fmt.Errorf("outer: %w", &decode), errorVerbs},
	} {
		for _, verb := range shown.verbs {
			for _, flag := range []string{"", "+", "#", " ", "-20", "020", "#+"} {
				assertShowsNothing(t, fmt.Sprintf("%"+flag+string(verb), shown.value), marker, "%"+flag+string(verb))
			}
		}
		text, failed := json.Marshal(shown.value)
		require.NoError(t, failed)
		assertShowsNothing(t, string(text), marker, "JSON")
		var log bytes.Buffer
		slog.New(slog.NewJSONHandler(&log, nil)).Info("m", "e", shown.value)
		slog.New(slog.NewTextHandler(&log, nil)).Info("m", "e", shown.value)
		assertShowsNothing(t, log.String(), marker, "slog")
	}
	assert.Equal(t, decode.Error(), fmt.Sprintf("%v", &decode))
	assert.Equal(t, fmt.Sprintf("%q", decode.Error()), fmt.Sprintf("%q", &decode))
}

// quietError has a text without that of its cause.
type quietError struct{ Err error }

func (*quietError) Error() string { return "quiet" }

// assertShowsNothing searches for secret as plain text, in hexadecimal, in
// base64, and as a list of byte values.
func assertShowsNothing(t *testing.T, shown, secret, how string) {
	t.Helper()
	decimal, octal := make([]string, len(secret)), make([]string, len(secret))
	for i, c := range []byte(secret) {
		decimal[i], octal[i] = strconv.Itoa(int(c)), strconv.FormatInt(int64(c), 8)
	}
	for _, form := range []string{secret, hex.EncodeToString([]byte(secret)), strings.Join(decimal, " "), strings.Join(octal, " ")} {
		assert.NotContains(t, strings.ToLower(shown), form, how)
	}
	for shift := range 3 { // position of the secret within a base64 group of three bytes
		encoded := base64.StdEncoding.EncodeToString([]byte(strings.Repeat(" ", shift) + secret))
		assert.NotContains(t, shown, encoded[4:len(encoded)-4], how)
	}
}
