package feed

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"net"
	"strconv"
	"sync"
	"sync/atomic"
)

// Loopback is a service over TCP that sends prepared responses, so that it adds
// almost nothing to the measured time.
type Loopback struct {
	listener net.Listener
	staff    []byte
	token    []byte
	serving  sync.WaitGroup
	mu       sync.Mutex
	open     map[net.Conn]struct{}
	opened   atomic.Int64
}

// Listen starts a Loopback, which runs until Close.
func Listen(answers *Answers) (*Loopback, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	l := &Loopback{listener: listener, staff: onWire(answers.Staff), token: onWire(Token), open: map[net.Conn]struct{}{}}
	l.serving.Go(l.accept)
	return l, nil
}

// BaseURL returns the address of the API.
func (l *Loopback) BaseURL() string { return "http://" + l.listener.Addr().String() + "/practice/v1" }

// TokenURL returns the address of the token endpoint.
func (l *Loopback) TokenURL() string { return "http://" + l.listener.Addr().String() + "/token" }

// Opened returns the number of connections opened so far.
func (l *Loopback) Opened() int64 { return l.opened.Load() }

// Open returns the number of open connections.
func (l *Loopback) Open() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.open)
}

// Close closes all connections and waits until their goroutines have ended.
func (l *Loopback) Close() error {
	err := l.listener.Close()
	l.mu.Lock()
	for conn := range l.open {
		_ = conn.Close() // the connection is closed either way
	}
	l.mu.Unlock()
	l.serving.Wait()
	return err
}

func (l *Loopback) accept() {
	for {
		conn, err := l.listener.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil {
			continue
		}
		l.opened.Add(1)
		l.mu.Lock()
		l.open[conn] = struct{}{}
		l.mu.Unlock()
		l.serving.Go(func() {
			l.serve(conn)
			_ = conn.Close() // the listener is closed
			l.mu.Lock()
			delete(l.open, conn)
			l.mu.Unlock()
		})
	}
}

func (l *Loopback) serve(conn net.Conn) {
	r := bufio.NewReader(conn)
	for {
		text, err := request(r)
		if err != nil {
			return
		}
		answer := l.staff
		if text == "POST /token" {
			answer = l.token
		}
		if _, err := conn.Write(answer); err != nil {
			return
		}
	}
}

// request reads one request to its end and returns its text.
func request(r *bufio.Reader) (text string, err error) {
	body := 0
	for first := true; ; first = false {
		line, err := r.ReadSlice('\n')
		if err != nil {
			return "", err
		}
		if first && bytes.HasPrefix(line, []byte("POST /token")) {
			text = "POST /token"
		}
		if value, ok := bytes.CutPrefix(line, []byte("Content-Length: ")); ok {
			if body, err = strconv.Atoi(string(bytes.TrimSpace(value))); err != nil {
				return "", err
			}
		}
		if len(bytes.TrimSpace(line)) == 0 {
			_, err := r.Discard(body)
			return text, err
		}
	}
}

func onWire(body []byte) []byte {
	return fmt.Appendf(nil, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
}
