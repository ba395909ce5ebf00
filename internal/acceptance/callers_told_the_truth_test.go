package acceptance_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"maps"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/soak"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/models"
)

var truthCalls = flag.Int("truth-calls", soak.Times(soak.Least(600), 60_000), "how many calls TestACallerIsToldTheTruth makes")

// TestACallerIsToldTheTruth sends creates, idempotent writes and reads through
// a proxy that drops, delays and resets connections and sends its own responses
// at random. It compares the result of each call with what the service
// executed. Run it at length with
//
//	go test -run TestACallerIsToldTheTruth -truth-calls 100000 .
func TestACallerIsToldTheTruth(t *testing.T) {
	t.Parallel()
	var http1, http2 http.Protocols
	http1.SetHTTP1(true)
	http2.SetUnencryptedHTTP2(true)
	protocols := map[string]*http.Protocols{"HTTP 1.1": &http1, "HTTP 2": &http2}
	kinds := []string{"none", "time-out", "hedge", "own transport", "header writer", "body replacer"}
	calls := *truthCalls / (len(protocols) * len(kinds))
	var worlds sync.WaitGroup // in parallel, because they mostly wait
	defer worlds.Wait()
	for name, protocol := range protocols {
		for _, kind := range kinds {
			worlds.Go(func() {
				t.Run(name+"/"+kind, func(t *testing.T) {
					w := newLyingWorld(t, protocol, kind)
					w.work(t, calls)
					w.compare(t)
				})
			})
		}
	}
}

// lyingWorld is a service that records what it executed, behind an unreliable
// proxy.
type lyingWorld struct {
	client *practice.Client
	server *httptest.Server

	executing sync.RWMutex // read-locked by every request in the proxy

	mu       sync.Mutex
	chance   *rand.Rand
	executed map[string]int  // by RequestId
	deleted  map[string]bool // by record
	told     map[string]told // result of each call, by RequestId
	answers  map[string]int  // results by kind, to check that all kinds occur
}

type told struct {
	class string
	err   error
}

func newLyingWorld(t *testing.T, protocol *http.Protocols, kind string) *lyingWorld {
	t.Helper()
	w := &lyingWorld{
		chance:   rand.New(rand.NewPCG(1, uint64(len(kind)))),
		executed: map[string]int{}, deleted: map[string]bool{}, told: map[string]told{}, answers: map[string]int{},
	}
	w.server = httptest.NewUnstartedServer(http.HandlerFunc(w.proxy))
	w.server.Config.Protocols = protocol
	w.server.Config.ErrorLog = log.New(io.Discard, "", 0)
	w.server.Config.ConnContext = func(ctx context.Context, conn net.Conn) context.Context {
		return context.WithValue(ctx, connKey{}, conn)
	}
	w.server.Start()
	t.Cleanup(w.server.Close)
	transport := func() *http.Transport {
		wire := &http.Transport{Protocols: protocol, DialContext: w.dial, MaxIdleConnsPerHost: 16}
		t.Cleanup(wire.CloseIdleConnections)
		return wire
	}
	middleware := map[string]func(http.RoundTripper) http.RoundTripper{
		"none":          func(next http.RoundTripper) http.RoundTripper { return next },
		"time-out":      timingOut(15 * time.Millisecond),
		"hedge":         hedging(5 * time.Millisecond),
		"own transport": carrying(transport()),
		"header writer": writingHeaders,
		"body replacer": replacingBodies,
	}[kind]
	w.client = testkit.BareClient(t, w.server.URL, practice.WithHTTPClient(&http.Client{Transport: transport()}),
		practice.WithMiddleware(middleware), practice.WithAttemptTimeout(30*time.Millisecond))
	return w
}

type connKey struct{}

// draw returns a random number below n.
func (w *lyingWorld) draw(n int) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.chance.IntN(n)
}

func (w *lyingWorld) dial(ctx context.Context, network, address string) (net.Conn, error) {
	if w.draw(10) == 0 {
		return nil, &net.OpError{Op: "dial", Net: network, Err: errors.New("connection refused")}
	}
	return (&net.Dialer{}).DialContext(ctx, network, address)
}

// proxy forwards a request to the service or drops it, and returns the response
// or something else.
func (w *lyingWorld) proxy(rw http.ResponseWriter, req *http.Request) {
	if !w.executing.TryRLock() { // compare has closed the ledger
		panic(http.ErrAbortHandler)
	}
	defer w.executing.RUnlock()
	_, _ = io.Copy(io.Discard, req.Body)
	switch own := w.draw(40); own {
	case 0, 1: // reset before the service received anything
		w.cut(req)
	case 2:
		panic(http.ErrAbortHandler)
	case 3, 4, 5, 6, 7: // a response of the proxy itself
		status := []int{429, 401, 500, 503, 400}[own-3]
		if status == http.StatusTooManyRequests && w.draw(4) > 0 { // rarely, because the client slows down after a 429
			status = http.StatusForbidden
		}
		rw.WriteHeader(status)
	case 8: // a redirect to nowhere
		rw.Header().Set("Location", "http://[::1")
		rw.WriteHeader(http.StatusSeeOther)
	case 9: // a refusal that breaks off
		rw.Header().Set("Content-Length", "100")
		rw.WriteHeader([]int{http.StatusTooManyRequests, http.StatusUnauthorized}[min(w.draw(4), 1)])
	case 10, 11: // delayed until the client may have given up
		<-time.After(time.Duration(w.draw(45)) * time.Millisecond)
		w.answer(rw, w.serve(req))
	default:
		w.lose(rw, req, w.serve(req))
	}
}

// lose returns the service's response late, truncated, replaced by another one,
// or not at all.
func (w *lyingWorld) lose(rw http.ResponseWriter, req *http.Request, came *httptest.ResponseRecorder) {
	switch w.draw(24) {
	case 0:
		w.cut(req)
	case 1:
		panic(http.ErrAbortHandler)
	case 2, 3:
		<-time.After(time.Duration(w.draw(45)) * time.Millisecond)
		w.answer(rw, came)
	case 4: // truncated
		rw.Header().Set("Content-Length", fmt.Sprint(came.Body.Len()+10))
		w.answer(rw, came)
	case 5, 6:
		rw.WriteHeader([]int{500, 502, 503, 504}[w.draw(4)])
	case 7: // complete, followed by the end of the connection
		w.answer(rw, came)
		_ = http.NewResponseController(rw).Flush()
		w.cut(req)
	case 8:
		rw.Header().Set("Connection", "close") // HTTP/2 sends GOAWAY for it
		w.answer(rw, came)
	default:
		w.answer(rw, came)
	}
}

func (w *lyingWorld) answer(rw http.ResponseWriter, came *httptest.ResponseRecorder) {
	rw.WriteHeader(came.Code)
	_, _ = rw.Write(came.Body.Bytes())
}

// cut closes the connection, sometimes with a TCP reset.
func (w *lyingWorld) cut(req *http.Request) {
	conn, _ := req.Context().Value(connKey{}).(*net.TCPConn)
	if conn == nil {
		panic(http.ErrAbortHandler)
	}
	if w.draw(2) == 0 {
		_ = conn.SetLinger(0)
	}
	_ = conn.Close()
}

// serve returns the service's response; it executes every request that it
// receives.
func (w *lyingWorld) serve(req *http.Request) *httptest.ResponseRecorder {
	w.mu.Lock()
	defer w.mu.Unlock()
	answer := httptest.NewRecorder()
	record := path.Base(req.URL.Path)
	if req.Method == http.MethodDelete && w.deleted[record] {
		answer.WriteHeader(http.StatusNotFound)
		return answer
	}
	w.deleted[record] = req.Method == http.MethodDelete
	w.executed[req.Header.Get("RequestId")]++
	answer.WriteHeader(http.StatusOK)
	_, _ = fmt.Fprintf(answer, `{"id":%q}`, record)
	return answer
}

func (w *lyingWorld) work(t *testing.T, calls int) {
	t.Helper()
	const workers = 16
	var all sync.WaitGroup
	for range workers {
		all.Go(func() {
			for range calls/workers + 1 {
				w.call(t, []string{"create", "create", "create without a body", "delete", "patch", "read"}[w.draw(6)])
			}
		})
	}
	all.Wait()
	w.server.Close()
	w.executing.Lock() // under HTTP/2, a closed server may still run handlers
}

func (w *lyingWorld) call(t *testing.T, class string) {
	t.Helper()
	id, record := practice.WithRequestID(uuid.NewString()), uuid.NewString()
	var response practice.Response
	seen := practice.WithResponse(&response)
	var err error
	switch class {
	case "create":
		err = testkit.Creates["with a body"](t.Context(), w.client, id, seen)
	case "create without a body":
		err = testkit.Creates["without a body"](t.Context(), w.client, id, seen)
	case "delete":
		_, err = w.client.Webhooks.Delete(t.Context(), record, id, seen)
	case "patch":
		err = testkit.Discard(w.client.Fees.Patch(t.Context(), testkit.SomeID, record, models.FeePatch{Subject: models.Some("Advice")}, id, seen))
	case "read":
		var got struct{ ID string }
		err = w.client.Do(t.Context(), practice.Request{Method: http.MethodGet, Path: "/staff/{id}", PathValues: []string{record}}, &got, id, seen)
		if err == nil {
			assert.Equal(t, record, got.ID)
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.told[response.RequestID] = told{strings.TrimSuffix(class, " without a body"), err}
	w.answers[class+": "+resultOf(err)]++
}

// compare compares the results of all calls with the ledger.
func (w *lyingWorld) compare(t *testing.T) {
	t.Helper()
	for id, was := range w.told {
		executed := w.executed[id]
		switch {
		case was.class == "read":
		case was.class == "create" && was.err == nil:
			assert.Equal(t, 1, executed, "told that it was created")
		case was.class == "create" && testkit.IsAmbiguous(was.err):
			assert.LessOrEqual(t, executed, 1, "told that it may have been created: %v", was.err)
		case was.class == "create":
			assert.Zero(t, executed, "told that nothing was created: %v", was.err)
		case was.err == nil:
			assert.Positive(t, executed, "told that it was done")
		case was.class == "delete" && errors.Is(was.err, practice.ErrNotFound):
			assert.Zero(t, executed, "told that it was not there: %v", was.err)
		}
	}
	require.NotEmpty(t, w.told)
	for _, answer := range slices.Sorted(maps.Keys(w.answers)) {
		t.Log(w.answers[answer], answer)
	}
}
