package silent

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/auth"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/models"
)

// network is a network in memory whose open connections can fall silent: what
// is written is accepted, and nothing comes back, as after a lost Wi-Fi.
type network struct {
	accepted chan net.Conn
	closing  sync.Once
	mu       sync.Mutex
	conns    []*silenceable
}

type silenceable struct {
	net.Conn
	silent atomic.Bool
}

func (c *silenceable) Read(p []byte) (int, error) {
	for {
		n, err := c.Conn.Read(p)
		if err != nil || !c.silent.Load() {
			return n, err
		}
	}
}

func (n *network) dial(context.Context, string, string) (net.Conn, error) {
	near, far := net.Pipe()
	conn := &silenceable{Conn: near}
	n.mu.Lock()
	n.conns = append(n.conns, conn)
	n.mu.Unlock()
	n.accepted <- far
	return conn, nil
}

// silence ends the answers on all open connections.
func (n *network) silence() {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, conn := range n.conns {
		conn.silent.Store(true)
	}
}

func (n *network) Accept() (net.Conn, error) {
	conn, ok := <-n.accepted
	if !ok {
		return nil, net.ErrClosed
	}
	return conn, nil
}

func (n *network) Close() error {
	n.closing.Do(func() { close(n.accepted) })
	return nil
}

func (n *network) Addr() net.Addr { return &net.TCPAddr{} }

// onNetwork serves the handler, and lets http.DefaultTransport dial the
// network, whose copy is the own transport of a client without WithHTTPClient.
func onNetwork(t *testing.T, protocol string, handler http.HandlerFunc) *network {
	t.Helper()
	protocols := new(http.Protocols)
	protocols.SetHTTP1(protocol == "HTTP/1.1")
	protocols.SetUnencryptedHTTP2(protocol == "HTTP/2.0")
	n := &network{accepted: make(chan net.Conn)}
	server := &http.Server{Handler: handler, Protocols: protocols}
	var served sync.WaitGroup
	served.Go(func() { _ = server.Serve(n) })
	before := http.DefaultTransport
	http.DefaultTransport = &http.Transport{DialContext: n.dial, Protocols: protocols}
	t.Cleanup(func() {
		http.DefaultTransport = before
		_ = server.Close()
		served.Wait()
	})
	return n
}

// ownClient returns a client with its own transport, and the numbers of
// attempts of its calls so far.
func ownClient(t *testing.T, opts ...practice.ClientOption) (*practice.Client, *[]int) {
	t.Helper()
	var mu sync.Mutex
	attempts := new([]int)
	client, err := practice.NewClient("http://127.0.0.1:80", append([]practice.ClientOption{
		practice.WithAPIKey("key"),
		practice.WithObserver(func(_ context.Context, o practice.Observation) {
			mu.Lock()
			defer mu.Unlock()
			if o.Kind == practice.ObservedCall {
				*attempts = append(*attempts, o.Attempt)
			}
		}),
	}, opts...)...)
	require.NoError(t, err)
	t.Cleanup(client.CloseIdleConnections)
	return client, attempts
}

// inABubble runs a test with each protocol, in virtual time.
func inABubble(t *testing.T, test func(t *testing.T, protocol string)) {
	t.Helper()
	for _, protocol := range []string{"HTTP/1.1", "HTTP/2.0"} {
		t.Run(protocol, func(t *testing.T) { //nolint:paralleltest // it replaces http.DefaultTransport
			synctest.Test(t, func(t *testing.T) { test(t, protocol) })
		})
	}
}

const staffMember = `{"id":"` + testkit.SomeID + `"}`

//nolint:paralleltest // it replaces http.DefaultTransport
func TestAReadLeavesASilentConnection(t *testing.T) {
	for limit, opts := range map[string][]practice.CallOption{
		"default limits": nil,
		"a short limit":  {practice.WithAttemptTimeout(2 * time.Second)},
	} {
		t.Run(limit, func(t *testing.T) { //nolint:paralleltest // see above
			inABubble(t, func(t *testing.T, protocol string) {
				const pooled = 8
				var together sync.WaitGroup
				together.Add(pooled)
				var begun atomic.Int64
				n := onNetwork(t, protocol, func(w http.ResponseWriter, _ *http.Request) {
					if begun.Add(1) <= pooled { // over HTTP/1.1 each of the first reads needs a connection of its own
						together.Done()
						together.Wait()
					}
					_, _ = io.WriteString(w, staffMember)
				})
				client, attempts := ownClient(t)
				read := func() error { return testkit.Discard(client.Staff.Get(t.Context(), testkit.SomeID, opts...)) }
				var reads sync.WaitGroup
				for range pooled {
					reads.Go(func() { assert.NoError(t, read()) })
				}
				reads.Wait()

				n.silence()
				require.NoError(t, read())
				require.NoError(t, read())
				assert.Equal(t, []int{2, 1}, (*attempts)[pooled:])
			})
		})
	}
}

// TestReadsThatOverlapLeaveASilentConnection checks calls of which one always
// keeps the connection in use, so that it is never idle.
//
//nolint:paralleltest // it replaces http.DefaultTransport
func TestReadsThatOverlapLeaveASilentConnection(t *testing.T) {
	inABubble(t, func(t *testing.T, protocol string) {
		n := onNetwork(t, protocol, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, staffMember) })
		client, attempts := ownClient(t)
		read := func() { assert.NoError(t, testkit.Discard(client.Staff.Get(t.Context(), testkit.SomeID))) }
		read()
		n.silence()
		var reads sync.WaitGroup
		for i := range 10 {
			reads.Go(func() {
				<-time.After(time.Duration(i) * 7 * time.Second)
				read()
			})
		}
		reads.Wait()
		for _, each := range *attempts {
			assert.LessOrEqual(t, each, 2)
		}
	})
}

//nolint:paralleltest // it replaces http.DefaultTransport
func TestARenewalLeavesASilentConnection(t *testing.T) {
	inABubble(t, func(t *testing.T, protocol string) {
		var asked atomic.Int64
		n := onNetwork(t, protocol, func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/token" {
				_, _ = io.WriteString(w, staffMember)
				return
			}
			asked.Add(1)
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, `{"access_token":"a","expires_in":20}`)
		})
		client, attempts := ownClient(t, practice.WithTokens(auth.ClientCredentials{
			TokenURL: "http://127.0.0.1:81/token", ClientID: "id", ClientSecret: models.NewSecret("secret"),
		}))
		read := func() error { return testkit.Discard(client.Staff.Get(t.Context(), testkit.SomeID)) }
		require.NoError(t, read())
		<-time.After(21 * time.Second)
		n.silence()
		require.NoError(t, read())
		assert.LessOrEqual(t, asked.Load(), int64(3), "the answer to the second was lost")
		assert.LessOrEqual(t, (*attempts)[1], 2)
	})
}

// TestATransportOfTheCallerIsLeftAlone checks that its idle connections are not
// closed.
//
//nolint:paralleltest // it replaces http.DefaultTransport
func TestATransportOfTheCallerIsLeftAlone(t *testing.T) {
	for name, replace := range map[string]func(*counting) []practice.ClientOption{
		"WithHTTPClient": func(own *counting) []practice.ClientOption {
			return []practice.ClientOption{practice.WithHTTPClient(&http.Client{Transport: own})}
		},
		"a replaced http.DefaultTransport": func(own *counting) []practice.ClientOption {
			http.DefaultTransport = own
			return nil
		},
	} {
		t.Run(name, func(t *testing.T) { //nolint:paralleltest // see above
			synctest.Test(t, func(t *testing.T) {
				before := http.DefaultTransport
				defer func() { http.DefaultTransport = before }()
				own := new(counting)
				client, _ := ownClient(t, replace(own)...)
				require.ErrorIs(t, testkit.Discard(client.Staff.Get(t.Context(), testkit.SomeID)), context.DeadlineExceeded)
				client.CloseIdleConnections()
				assert.Equal(t, 4, own.sent)
				assert.Zero(t, own.closed)
			})
		})
	}
}

// counting is a transport that never responds.
type counting struct{ sent, closed int }

func (c *counting) RoundTrip(req *http.Request) (*http.Response, error) {
	c.sent++
	<-req.Context().Done()
	return nil, req.Context().Err()
}

func (c *counting) CloseIdleConnections() { c.closed++ }

//nolint:paralleltest // it replaces http.DefaultTransport
func TestASignInTakesAReplacedDefaultTransport(t *testing.T) {
	before := http.DefaultTransport
	defer func() { http.DefaultTransport = before }()
	sent := 0
	http.DefaultTransport = testkit.RoundTripper(func(*http.Request) (*http.Response, error) {
		sent++
		return testkit.AnswerOf(http.StatusOK, `{"access_token":"a","refresh_token":"r"}`), nil
	})
	code := auth.AuthorizationCode{AuthURL: "http://127.0.0.1/auth", TokenURL: "http://127.0.0.1/token", ClientID: "id", RedirectURL: "http://127.0.0.1/back"}
	begun := code.Begin()
	got, err := code.Exchange(t.Context(), begun, url.Values{"state": {begun.State}, "code": {"code-1"}})
	require.NoError(t, err)
	assert.Equal(t, "r", got.RefreshToken.Reveal())
	assert.Equal(t, 1, sent)
}
