package auth

import (
	"cmp"
	"context"
	"crypto/subtle"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/panics"
	"github.com/practicesdk/practice-go/internal/transport"
)

const (
	loopbackPath   = "/signed-in"     // default path
	loopbackHeader = 10 * time.Second // time limit for the header of a request
	loopbackEnding = time.Second      // time for the browser to read the last page
)

// Loopback signs in a user of this machine. It listens on a loopback address,
// calls open with the URL of the sign-in page, waits until the browser is
// redirected back or ctx ends, and exchanges the code. RedirectURL sets where
// to listen, such as "http://127.0.0.1:8976/signed-in"; if it is empty or has
// port 0, the system chooses the port. It returns errors of Exchange, of open
// and of listening.
func (a AuthorizationCode) Loopback(ctx context.Context, open func(address string) error) (RefreshCredentials, error) {
	if open == nil {
		return RefreshCredentials{}, &practice.ConfigError{Setting: "auth.Loopback", Reason: "requires a function to open the sign-in page"}
	}
	back, err := a.loopbackAddress()
	if err != nil {
		return RefreshCredentials{}, err
	}
	var listening net.ListenConfig
	listener, err := listening.Listen(ctx, "tcp", back.Host)
	if err != nil {
		return RefreshCredentials{}, err
	}
	if _, port, err := net.SplitHostPort(listener.Addr().String()); err == nil {
		back.Host = net.JoinHostPort(back.Hostname(), port)
	}
	a.RedirectURL = back.String()
	l := &loopback{ctx: ctx, code: a, signIn: a.Begin(), host: back.Host, path: back.Path, result: make(chan signedIn, 1)}
	return l.serve(ctx, listener, open)
}

// loopbackAddress returns the address to listen on. It checks all settings
// first, so that nothing is opened with an invalid one.
func (a AuthorizationCode) loopbackAddress() (*url.URL, error) {
	if err := checkTokenURL("auth.AuthorizationCode", a.TokenURL, false); err != nil {
		return nil, err
	}
	if page, err := url.Parse(a.AuthURL); err != nil || page.Hostname() == "" || !transport.AllowedScheme(page, false) {
		return nil, &practice.ConfigError{Setting: "auth.AuthorizationCode", Reason: "requires an https URL for the sign-in page"}
	}
	back, err := url.Parse(cmp.Or(a.RedirectURL, "http://127.0.0.1:0"+loopbackPath))
	if err != nil || back.Scheme != "http" || !transport.IsLoopback(back.Hostname()) || back.RawQuery != "" || back.Fragment != "" {
		return nil, &practice.ConfigError{Setting: "auth.Loopback", Reason: "requires an http redirect URL on this machine, without a query or a fragment"}
	}
	back.Host = net.JoinHostPort(back.Hostname(), cmp.Or(back.Port(), "0"))
	back.Path = cmp.Or(back.Path, loopbackPath)
	return back, nil
}

// loopback waits for the callback of one browser.
type loopback struct {
	ctx    context.Context // context of the sign-in; that of a request would end with its connection
	code   AuthorizationCode
	signIn SignIn
	host   string // with the port, as in the browser's Host header
	path   string
	taken  atomic.Bool // whether the exchange of the code has begun
	result chan signedIn
	broke  panics.Box // panic of a caller's function
}

type signedIn struct {
	credentials RefreshCredentials
	err         error
}

func (l *loopback) serve(ctx context.Context, listener net.Listener, open func(string) error) (RefreshCredentials, error) {
	server := &http.Server{Handler: l, ReadHeaderTimeout: loopbackHeader, ErrorLog: slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)}
	server.SetKeepAlivesEnabled(false) // a browser sends only one request
	served := make(chan error, 1)
	go func() {
		defer close(served)
		served <- server.Serve(listener)
	}()
	defer l.broke.Rethrow()
	defer func() { // also runs when open panics
		ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), loopbackEnding)
		defer cancel()
		if server.Shutdown(ending) != nil {
			_ = server.Close() // closes connections on which the browser sends nothing
		}
		for range served { // wait for the end of the server
		}
	}()

	var result signedIn
	if result.err = open(l.signIn.URL); result.err == nil {
		select {
		case result = <-l.result:
		case <-ctx.Done():
			result = l.leave(context.Cause(ctx))
		case result.err = <-served: // the listener failed
		}
	}
	return result.credentials, result.err
}

// leave ends the sign-in, unless the exchange of its code has begun: then it
// waits, because granted tokens must not be lost. The exchange ends with the
// same context.
func (l *loopback) leave(reason error) signedIn {
	if l.taken.CompareAndSwap(false, true) {
		return signedIn{err: reason}
	}
	return <-l.result
}

// ServeHTTP handles the callback of the browser. Requests that do not belong to
// the sign-in, such as one for an icon or one of another program, change
// nothing.
func (l *loopback) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch query := r.URL.Query(); {
	case !strings.EqualFold(r.Host, l.host): // DNS rebinding: a foreign page whose host name resolves to this machine
		page(w, http.StatusMisdirectedRequest, "This page is available only under the host name of the redirect URL.")
	case r.URL.Path != l.path:
		page(w, http.StatusNotFound, "This page does not exist.")
	case r.Method != http.MethodGet:
		w.Header().Set("Allow", http.MethodGet)
		page(w, http.StatusMethodNotAllowed, "This page accepts only GET requests.")
	case subtle.ConstantTimeCompare([]byte(query.Get("state")), []byte(l.signIn.State)) == 0:
		page(w, http.StatusBadRequest, "This request does not belong to the sign-in in progress.")
	case query.Get("code") == "" && query.Get("error") == "":
		page(w, http.StatusBadRequest, "The request contains no authorization code.")
	case !l.taken.CompareAndSwap(false, true):
		page(w, http.StatusConflict, "This sign-in has already been completed.")
	default:
		result := signedIn{err: errBroke}
		l.broke.Apart(func() { result.credentials, result.err = l.code.Exchange(l.ctx, l.signIn, query) })
		if result.err == nil {
			page(w, http.StatusOK, "You are signed in. You can close this window.")
		} else {
			page(w, http.StatusOK, "You are not signed in. The program shows the reason. You can close this window.")
		}
		l.result <- result
	}
}

// page writes a page of one sentence. Its headers protect the address, which
// contains the code.
func page(w http.ResponseWriter, status int, sentence string) {
	header := w.Header()
	header.Set("Content-Type", "text/html; charset=utf-8")
	header.Set("Content-Security-Policy", "default-src 'none'")
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, "<!doctype html><html lang=\"en\"><title>Sign-in</title><p>"+sentence+"</p></html>\n")
}
