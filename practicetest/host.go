package practicetest

import (
	"context"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"slices"
	"strconv"
	"sync"
)

// host is where the origins listen: a network in memory, or loopback.
type host struct {
	listen    func(part string) (net.Listener, error)
	transport *http.Transport

	life   context.Context
	end    context.CancelFunc
	mu     sync.Mutex
	served map[string]string // the origin of each part
	ready  chan struct{}     // closed when requests may be answered
	open   []*http.Server
	done   sync.WaitGroup
	conns  sync.WaitGroup // connections whose goroutine net/http has not ended yet
}

// memoryPorts are the addresses in memory: fixed, so that a test may print them.
func memoryPorts(part string) string {
	switch part {
	case PartAPI:
		return "127.0.0.1:8001"
	case PartStorage:
		return "127.0.0.1:8002"
	case PartToken:
		return "127.0.0.1:8003"
	default:
		return "127.0.0.1:0"
	}
}

// isOrigin knows the addresses that are always in memory, also after the end.
func isOrigin(addr string) bool {
	return addr == memoryPorts(PartAPI) || addr == memoryPorts(PartStorage) || addr == memoryPorts(PartToken)
}

func newMemoryHost() *host {
	n := newNetwork()
	direct := net.Dialer{}
	dial := func(ctx context.Context, network, addr string) (net.Conn, error) {
		c, err := n.Dial(ctx, network, addr)
		// A test may receive notifications on a listener of its own; nothing else
		// outside of the memory is reached.
		if err != nil && ctx.Err() == nil && isLoopback(addr) && !isOrigin(addr) {
			return direct.DialContext(ctx, network, addr)
		}
		return c, err
	}
	return newHost(func(part string) (net.Listener, error) { return n.Listen(memoryPorts(part)) }, dial)
}

// newTCPHost listens on an address and, when its port is not 0, on the ports that
// follow it. What is mounted later takes free ports.
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
		parts := []string{PartAPI, PartStorage, PartToken}
		if at := slices.Index(parts, part); at < 0 {
			first = 0
		} else if first > 0 {
			first += at
		}
		return net.Listen("tcp", net.JoinHostPort(name, strconv.Itoa(first)))
	}
	return newHost(listen, (&net.Dialer{}).DialContext)
}

func newHost(listen func(string) (net.Listener, error), dial func(context.Context, string, string) (net.Conn, error)) *host {
	life, end := context.WithCancel(context.Background())
	return &host{
		listen: listen, life: life, end: end, served: map[string]string{}, ready: make(chan struct{}),
		transport: &http.Transport{DialContext: dial, MaxIdleConnsPerHost: 256},
	}
}

func isLoopback(addr string) bool {
	name, _, err := net.SplitHostPort(addr)
	return err == nil && (name == "localhost" || net.ParseIP(name).IsLoopback())
}

// serve opens the origin of a part.
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
	return "http://" + l.Addr().String(), nil
}

// whenReady has requests wait that come before the service knows its firm: the
// address may be a known one.
func (h *host) whenReady(handler http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-h.ready:
			handler.ServeHTTP(w, r)
		case <-h.life.Done():
		}
	})
}

// origin is the scheme, host and port of a part.
func (h *host) origin(part string) string { return h.served[part] }

// follow counts connections: net/http keeps the goroutine of one that it closed
// itself for another half second.
func (h *host) follow(_ net.Conn, state http.ConnState) {
	switch state {
	case http.StateNew:
		h.conns.Add(1)
	case http.StateClosed, http.StateHijacked:
		h.conns.Done()
	default:
	}
}

// close cuts every connection and ends every request.
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

// handlerCount lets Close wait for the handlers that are still running, which
// http.Server.Close does not.
type handlerCount struct {
	mu     sync.Mutex
	closed bool
	wg     sync.WaitGroup
}

// track counts the calls of a handler and refuses them after the end.
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
