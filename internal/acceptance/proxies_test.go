package acceptance_test

import (
	"bytes"
	"crypto/tls"
	"encoding/base64"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/testkit"
)

const proxyUser, proxyPassword = "somebody", "the-password-of-the-proxy"

// testProxy forwards requests: those to http completely, those to https through
// a tunnel.
type testProxy struct{ passed atomic.Int32 }

func (p *testProxy) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	own := &http.Request{Header: http.Header{"Authorization": req.Header["Proxy-Authorization"]}}
	if user, password, _ := own.BasicAuth(); user != proxyUser || password != proxyPassword {
		w.Header().Set("Proxy-Authenticate", `Basic realm="proxy"`)
		w.WriteHeader(http.StatusProxyAuthRequired)
		return
	}
	p.passed.Add(1)
	if req.Method == http.MethodConnect {
		tunnel(w, req)
		return
	}
	passedOn := req.Clone(req.Context())
	passedOn.RequestURI = ""
	passedOn.Header.Del("Proxy-Authorization")
	resp, err := (&http.Transport{DisableKeepAlives: true}).RoundTrip(passedOn)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	defer func() { _ = resp.Body.Close() }()
	w.WriteHeader(resp.StatusCode)
	_, _ = io.Copy(w, resp.Body)
}

func tunnel(w http.ResponseWriter, req *http.Request) {
	there, err := (&net.Dialer{}).DialContext(req.Context(), "tcp", req.Host)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	here, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(err)
	}
	_, _ = io.WriteString(here, "HTTP/1.1 200 OK\r\n\r\n")
	for from, to := range map[net.Conn]net.Conn{here: there, there: here} {
		go func() { // ends when the client's connections are closed
			_, _ = io.Copy(to, from)
			_ = to.Close()
		}()
	}
}

// serveWith starts a server, with TLS if scheme is https.
func serveWith(t *testing.T, scheme string, handler http.Handler) *httptest.Server {
	t.Helper()
	server := httptest.NewUnstartedServer(handler)
	server.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	if scheme == "https" {
		server.StartTLS()
	} else {
		server.Start()
	}
	t.Cleanup(server.Close)
	return server
}

// TestCallsThroughAProxy sends creates and reads through a proxy that requires
// credentials. Both proxy and service are tried with and without TLS.
func TestCallsThroughAProxy(t *testing.T) {
	t.Parallel()
	for _, proxyScheme := range []string{"http", "https"} {
		for _, scheme := range []string{"http", "https"} {
			for name, test := range map[string]struct {
				password string
				cuts     bool   // the service reads the request and closes the connection
				want     string // outcome of a create
				text     string // text of its error
			}{
				"a proxy that passes it on": {password: proxyPassword, want: succeeds},
				"an answer that is lost":    {password: proxyPassword, cuts: true, want: ambiguous},
				"another password":          {password: "wrong-" + proxyPassword, want: refusedByProxy, text: "Proxy Authentication Required"},
			} {
				t.Run(name+"/"+proxyScheme+" to "+scheme, func(t *testing.T) {
					t.Parallel()
					var executed atomic.Int32
					service := serveWith(t, scheme, http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
						_, _ = io.Copy(io.Discard, req.Body)
						assert.Empty(t, req.Header["Proxy-Authorization"], "that is for the proxy")
						executed.Add(1)
						if test.cuts {
							panic(http.ErrAbortHandler)
						}
						_, _ = io.WriteString(w, `{"id":"x"}`)
					}))
					proxy := &testProxy{}
					proxyServer := serveWith(t, proxyScheme, proxy)
					address, err := url.Parse(proxyServer.URL)
					require.NoError(t, err)
					address.User = url.UserPassword(proxyUser, test.password)
					own := &http.Transport{
						Proxy: http.ProxyURL(address), ForceAttemptHTTP2: true, TLSClientConfig: &tls.Config{InsecureSkipVerify: true},
					}
					t.Cleanup(own.CloseIdleConnections)
					var logged bytes.Buffer
					logger := slog.New(slog.NewTextHandler(&logged, &slog.HandlerOptions{Level: slog.LevelDebug}))
					for kind, create := range testkit.Creates {
						executed.Store(0)
						err = create(t.Context(), testkit.BareClient(t, service.URL, practice.WithHTTPClient(&http.Client{Transport: own}), practice.WithLogger(logger)))
						assert.Equal(t, test.want, throughProxy(err), "%s: %v", kind, err)
						if test.want == refusedByProxy {
							require.ErrorContains(t, err, test.text)
							assert.Zero(t, executed.Load(), kind)
						} else {
							assert.EqualValues(t, 1, executed.Load(), kind)
						}
						for _, text := range []string{fmt.Sprintf("%v %+v %#v", err, err, err), logged.String()} {
							assert.NotContains(t, text, proxyPassword)
							assert.NotContains(t, text, base64.StdEncoding.EncodeToString([]byte(proxyUser+":"+test.password)))
						}
					}
					assert.Equal(t, test.want != refusedByProxy, proxy.passed.Load() > 0)
				})
			}
		}
	}
}

const refusedByProxy = "refused"

// throughProxy returns the outcome as the caller sees it.
func throughProxy(err error) string {
	switch {
	case err == nil:
		return succeeds
	case testkit.IsAmbiguous(err):
		return ambiguous
	}
	return refusedByProxy
}
