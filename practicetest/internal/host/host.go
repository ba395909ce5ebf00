// Package host serves the origins of the embedded service, in memory or on TCP.
package host

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

// Host holds the listeners and HTTP servers of the origins.
type Host struct {
	Transport *http.Transport
	Callbacks *http.Transport // for webhook deliveries; reaches only this machine
	Public    *url.URL        // address under which clients reach the first part; nil means the listener's
	Life      context.Context // ends with Close

	parts  []string // in the order of their ports
	listen func(part string) (net.Listener, error)
	end    context.CancelFunc
	mu     sync.Mutex
	served map[string]string // origins by part
	ready  chan struct{}     // closed when the service is ready to serve requests
	open   []*http.Server
	done   sync.WaitGroup
	conns  sync.WaitGroup // connections whose net/http goroutine is still running
}

// inMemory returns the in-memory address of a part. It is constant, so that
// example tests can print it.
func (h *Host) inMemory(part string) string {
	if at := slices.Index(h.parts, part); at >= 0 {
		return "127.0.0.1:" + strconv.Itoa(8001+at)
	}
	return "127.0.0.1:0"
}

// isOrigin reports whether addr is one of the in-memory addresses. They are not
// reached over TCP, even after the server was closed.
func (h *Host) isOrigin(addr string) bool {
	return slices.ContainsFunc(h.parts, func(part string) bool { return addr == h.inMemory(part) })
}

// Memory returns a host whose parts are in memory. Ports follow their order.
func Memory(parts ...string) *Host {
	n, h, direct := memnet.New(), newHost(parts), net.Dialer{}
	h.Transport.DialContext = func(ctx context.Context, network, addr string) (net.Conn, error) {
		c, err := n.Dial(ctx, network, addr)
		// A test may receive webhooks on a TCP listener of its own, but nothing
		// beyond this machine is reached.
		if err != nil && ctx.Err() == nil && isLoopback(addr) && !h.isOrigin(addr) {
			return direct.DialContext(ctx, network, addr)
		}
		return c, err
	}
	h.listen = func(part string) (net.Listener, error) { return n.Listen(h.inMemory(part)) }
	return h
}

// TCP returns a host that listens on addr for the first part. The others listen
// on the next ports, or on free ports if the port is 0. Handlers that are
// mounted later get free ports.
func TCP(addr string, parts ...string) *Host {
	h := newHost(parts)
	h.listen = func(part string) (net.Listener, error) {
		name, port, err := net.SplitHostPort(addr)
		if err != nil {
			return nil, err
		}
		first, err := net.LookupPort("tcp", port)
		if err != nil {
			return nil, err
		}
		if at := slices.Index(h.parts, part); at < 0 {
			first = 0
		} else if first > 0 {
			first += at
		}
		return net.Listen("tcp", net.JoinHostPort(name, strconv.Itoa(first)))
	}
	h.Callbacks = &http.Transport{DialContext: dialNear, MaxIdleConnsPerHost: 256}
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

func newHost(parts []string) *Host {
	h := &Host{Transport: &http.Transport{DialContext: (&net.Dialer{}).DialContext, MaxIdleConnsPerHost: 256}, parts: parts}
	h.Life, h.end = context.WithCancel(context.Background())
	h.served, h.ready, h.Callbacks = map[string]string{}, make(chan struct{}), h.Transport
	return h
}

// Publish sets the address under which clients reach the first part. The others
// use the next ports.
func (h *Host) Publish(address string) error {
	if address == "" {
		return nil
	}
	public, err := url.Parse(address)
	if err != nil {
		return err
	}
	port, err := strconv.ParseUint(public.Port(), 10, 16)
	switch {
	case err != nil || port == 0 || int(port)+len(h.parts)-1 > math.MaxUint16:
		return fmt.Errorf("%q must have a port that is followed by %d more ports", address, len(h.parts)-1)
	case public.Scheme != "http" && public.Scheme != "https", public.Hostname() == "", strings.Trim(public.Path, "/") != "",
		public.User != nil, public.RawQuery != "", public.Fragment != "":
		return fmt.Errorf("%q must consist of a scheme, a host and a port", address)
	}
	h.Public = public
	return nil
}

func isLoopback(addr string) bool {
	name, _, err := net.SplitHostPort(addr)
	return err == nil && (name == "localhost" || net.ParseIP(name).IsLoopback())
}

// Serve starts the HTTP server of a part and records its origin.
func (h *Host) Serve(part string, handler http.Handler) error {
	origin, err := h.start(part, handler)
	h.served[part] = origin
	return err
}

// Mount serves a handler on an origin of its own, which it returns.
func (h *Host) Mount(handler http.Handler) (string, error) { return h.start("", handler) }

func (h *Host) start(part string, handler http.Handler) (string, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.Life.Err() != nil {
		return "", http.ErrServerClosed
	}
	l, err := h.listen(part)
	if err != nil {
		return "", err
	}
	server := &http.Server{ //nolint:gosec // a read limit would end uploads that a test slows down
		Handler: h.whenReady(handler), ErrorLog: log.New(io.Discard, "", 0),
		BaseContext: func(net.Listener) context.Context { return h.Life },
		ConnState:   h.follow,
	}
	h.open = append(h.open, server)
	h.done.Go(func() { _ = server.Serve(l) })
	return h.address(part, l.Addr()), nil
}

// address returns the URL of a part. For a listener on 0.0.0.0 or ::, which are
// not addresses to connect to, it uses 127.0.0.1.
func (h *Host) address(part string, listens net.Addr) string {
	if at := slices.Index(h.parts, part); at >= 0 && h.Public != nil {
		first, _ := strconv.Atoi(h.Public.Port()) // cannot fail: Publish has checked it
		return h.Public.Scheme + "://" + net.JoinHostPort(h.Public.Hostname(), strconv.Itoa(first+at))
	}
	if tcp, ok := listens.(*net.TCPAddr); ok && tcp.IP.IsUnspecified() {
		return "http://" + net.JoinHostPort("127.0.0.1", strconv.Itoa(tcp.Port))
	}
	return "http://" + listens.String()
}

// whenReady delays requests until the firm is seeded: clients may know the
// address before.
func (h *Host) whenReady(handler http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-h.ready:
			handler.ServeHTTP(w, r)
		case <-h.Life.Done():
		}
	})
}

// Ready ends the wait of requests. It must be called once.
func (h *Host) Ready() { close(h.ready) }

// Origin returns the URL of a part, without a path.
func (h *Host) Origin(part string) string { return h.served[part] }

// follow counts connections, so that Close can wait for them: after net/http
// has closed a connection, its goroutine runs for another half second.
func (h *Host) follow(_ net.Conn, state http.ConnState) {
	switch state {
	case http.StateNew:
		h.conns.Add(1)
	case http.StateClosed, http.StateHijacked:
		h.conns.Done()
	default:
	}
}

// Close closes all connections, cancels all requests and waits for their
// goroutines.
func (h *Host) Close() error {
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
