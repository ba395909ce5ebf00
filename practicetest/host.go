package practicetest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"math"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"

	"github.com/practicesdk/practice-go/practicetest/internal/memnet"
)

// host holds the listeners and HTTP servers of the origins. They are in memory
// or on TCP.
type host struct {
	listen    func(part string) (net.Listener, error)
	transport *http.Transport
	callbacks *http.Transport // transport for webhook deliveries; reaches only this machine
	public    *url.URL        // address under which clients reach the API; nil means the listener's

	life   context.Context
	end    context.CancelFunc
	mu     sync.Mutex
	served map[string]string // origins by part
	ready  chan struct{}     // closed when the service is ready to serve requests
	open   []*http.Server
	done   sync.WaitGroup
	conns  sync.WaitGroup // connections whose net/http goroutine is still running
}

// parts returns the parts in the order of their ports.
func parts() []string { return []string{PartAPI, PartStorage, PartToken} }

// memoryPorts returns the in-memory address of a part. It is constant, so that
// example tests can print it.
func memoryPorts(part string) string {
	if at := slices.Index(parts(), part); at >= 0 {
		return "127.0.0.1:" + strconv.Itoa(8001+at)
	}
	return "127.0.0.1:0"
}

// isOrigin reports whether addr is one of the in-memory addresses. They are not
// reached over TCP, even after the server was closed.
func isOrigin(addr string) bool {
	return slices.ContainsFunc(parts(), func(part string) bool { return addr == memoryPorts(part) })
}

func newMemoryHost() *host {
	n := memnet.New()
	direct := net.Dialer{}
	dial := func(ctx context.Context, network, addr string) (net.Conn, error) {
		c, err := n.Dial(ctx, network, addr)
		// A test may receive webhooks on a TCP listener of its own, but nothing
		// beyond this machine is reached.
		if err != nil && ctx.Err() == nil && isLoopback(addr) && !isOrigin(addr) {
			return direct.DialContext(ctx, network, addr)
		}
		return c, err
	}
	return newHost(func(part string) (net.Listener, error) { return n.Listen(memoryPorts(part)) }, dial)
}

// newTCPHost listens on addr for the API. The other parts listen on the next
// two ports, or on free ports if the port is 0. Handlers that are mounted later
// get free ports.
func newTCPHost(addr string) *host {
	listen := func(part string) (net.Listener, error) {
		name, port, err := net.SplitHostPort(addr)
		if err != nil {
			return nil, err
		}
		first, err := net.LookupPort("tcp", port)
		if err != nil {
			return nil, err
		}
		if at := slices.Index(parts(), part); at < 0 {
			first = 0
		} else if first > 0 {
			first += at
		}
		return net.Listen("tcp", net.JoinHostPort(name, strconv.Itoa(first)))
	}
	h := newHost(listen, (&net.Dialer{}).DialContext)
	h.callbacks = &http.Transport{DialContext: dialNear, MaxIdleConnsPerHost: 256}
	return h
}

// dialNear connects to this machine only. It resolves names from the hosts file
// without DNS: other names are refused anyway, and a DNS query could outlive
// the service.
func dialNear(ctx context.Context, network, address string) (net.Conn, error) {
	dialer := net.Dialer{Control: loopbackOnly}
	if name, _, err := net.SplitHostPort(address); err == nil && name != "localhost" { // some systems resolve localhost without the hosts file
		dialer.Resolver = &net.Resolver{PreferGo: true, Dial: askNobody}
	}
	return dialer.DialContext(ctx, network, address)
}

func askNobody(context.Context, string, string) (net.Conn, error) {
	return nil, errors.New("practicetest: the host name does not belong to this machine: use WithWebhookClient to reach other machines")
}

// loopbackOnly refuses connections to other machines. It runs after name
// resolution, so a name cannot circumvent it.
func loopbackOnly(_, address string, _ syscall.RawConn) error {
	if isLoopback(address) {
		return nil
	}
	return fmt.Errorf("practicetest: %s is on another machine: use WithWebhookClient to reach other machines", address)
}

func newHost(listen func(string) (net.Listener, error), dial func(context.Context, string, string) (net.Conn, error)) *host {
	life, end := context.WithCancel(context.Background())
	transport := &http.Transport{DialContext: dial, MaxIdleConnsPerHost: 256}
	return &host{
		listen: listen, life: life, end: end, served: map[string]string{}, ready: make(chan struct{}),
		transport: transport, callbacks: transport,
	}
}

// publish sets the address under which clients reach the API. The other parts
// use the next two ports.
func (h *host) publish(address string) error {
	if address == "" {
		return nil
	}
	public, err := url.Parse(address)
	if err != nil {
		return err
	}
	port, err := strconv.ParseUint(public.Port(), 10, 16)
	switch {
	case err != nil || port == 0 || int(port)+len(parts())-1 > math.MaxUint16:
		return fmt.Errorf("%q must have a port that is followed by two more ports", address)
	case public.Scheme != "http" && public.Scheme != "https", public.Hostname() == "", strings.Trim(public.Path, "/") != "",
		public.User != nil, public.RawQuery != "", public.Fragment != "":
		return fmt.Errorf("%q must consist of a scheme, a host and a port", address)
	}
	h.public = public
	return nil
}

func isLoopback(addr string) bool {
	name, _, err := net.SplitHostPort(addr)
	return err == nil && (name == "localhost" || net.ParseIP(name).IsLoopback())
}

// serve starts the HTTP server of a part and records its origin.
func (h *host) serve(part string, handler http.Handler) error {
	origin, err := h.start(part, handler)
	h.served[part] = origin
	return err
}

func (h *host) mount(handler http.Handler) (string, error) { return h.start("", handler) }

func (h *host) start(part string, handler http.Handler) (string, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.life.Err() != nil {
		return "", http.ErrServerClosed
	}
	l, err := h.listen(part)
	if err != nil {
		return "", err
	}
	server := &http.Server{ //nolint:gosec // a read limit would end uploads that a test slows down
		Handler: h.whenReady(handler), ErrorLog: log.New(io.Discard, "", 0),
		BaseContext: func(net.Listener) context.Context { return h.life },
		ConnState:   h.follow,
	}
	h.open = append(h.open, server)
	h.done.Go(func() { _ = server.Serve(l) })
	return h.address(part, l.Addr()), nil
}

// address returns the URL of a part. For a listener on 0.0.0.0 or ::, which are
// not addresses to connect to, it uses 127.0.0.1.
func (h *host) address(part string, listens net.Addr) string {
	if at := slices.Index(parts(), part); at >= 0 && h.public != nil {
		first, _ := strconv.Atoi(h.public.Port()) // cannot fail: publish has checked it
		return h.public.Scheme + "://" + net.JoinHostPort(h.public.Hostname(), strconv.Itoa(first+at))
	}
	if tcp, ok := listens.(*net.TCPAddr); ok && tcp.IP.IsUnspecified() {
		return "http://" + net.JoinHostPort("127.0.0.1", strconv.Itoa(tcp.Port))
	}
	return "http://" + listens.String()
}

// whenReady delays requests until the firm is seeded: clients may know the
// address before.
func (h *host) whenReady(handler http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-h.ready:
			handler.ServeHTTP(w, r)
		case <-h.life.Done():
		}
	})
}

// origin returns the URL of a part, without a path.
func (h *host) origin(part string) string { return h.served[part] }

// follow counts connections, so that close can wait for them: after net/http
// has closed a connection, its goroutine runs for another half second.
func (h *host) follow(_ net.Conn, state http.ConnState) {
	switch state {
	case http.StateNew:
		h.conns.Add(1)
	case http.StateClosed, http.StateHijacked:
		h.conns.Done()
	default:
	}
}

// close closes all connections, cancels all requests and waits for their
// goroutines.
func (h *host) close() error {
	h.end()
	h.mu.Lock()
	defer h.mu.Unlock()
	var errs []error
	for _, s := range h.open {
		errs = append(errs, s.Close())
	}
	h.done.Wait()
	h.conns.Wait()
	return errors.Join(errs...)
}

// handlerCount counts running handlers, so that Close can wait for them:
// http.Server.Close does not.
type handlerCount struct {
	mu     sync.Mutex
	closed bool
	wg     sync.WaitGroup
}

// track counts the calls of a handler. After close it aborts them.
func (h *handlerCount) track(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !h.enter() {
			panic(http.ErrAbortHandler)
		}
		defer h.wg.Done()
		next.ServeHTTP(w, r)
	})
}

func (h *handlerCount) enter() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return false
	}
	h.wg.Add(1)
	return true
}

func (h *handlerCount) close() {
	h.mu.Lock()
	h.closed = true
	h.mu.Unlock()
	h.wg.Wait()
}
