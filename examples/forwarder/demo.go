package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"sync"
	"sync/atomic"

	"github.com/practicesdk/practice-go/examples/internal/setup"
	"github.com/practicesdk/practice-go/examples/internal/term"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
	"github.com/practicesdk/practice-go/webhook"
)

// demonstrate forwards five changes in the embedded service to a system that
// answers every other request with an error.
func demonstrate(ctx context.Context, keep string, stdout io.Writer, env setup.Env) (err error) {
	service, err := setup.Open(env, setup.Options{Program: "practice-forwarder", Service: []practicetest.Option{practicetest.WithWebhookRedeliveries(5)}})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, service.Close()) }()
	dir, err := os.MkdirTemp("", "practice-forwarder-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	ctx, end := context.WithCancel(ctx)
	defer end()

	const changes = 5
	var requests, stored atomic.Int32
	to, stop, err := system(ctx, func(w http.ResponseWriter, _ *http.Request) {
		if requests.Add(1)%2 == 1 {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		if stored.Add(1) == changes {
			end()
		}
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stop()) }()

	address, err := freeAddress(ctx)
	if err != nil {
		return err
	}
	o := options{dir: dir, to: to, listen: address, callback: "http://" + address + "/", keep: keep, key: models.NewSecret(rand.Text())}
	log := &lines{out: stdout, seen: func(line string) {
		if line != "subscription created" {
			return
		}
		for _, id := range service.Server().Firm().MatterIDs[:changes] {
			service.Server().Emit(practicetest.Event{
				Type: string(models.EventTypeMatterUpdated.Type()), Payload: fmt.Appendf(nil, `{"id":%q}`, id),
			})
		}
	}}
	return o.forward(ctx, service, log)
}

// system is another system, on this machine.
func system(ctx context.Context, handle http.HandlerFunc) (address string, stop func() error, err error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	server := &http.Server{Handler: handle, ReadHeaderTimeout: webhook.ServiceTimeout}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	return "http://" + listener.Addr().String(), func() error {
		err := server.Close()
		if ended := <-served; !errors.Is(ended, http.ErrServerClosed) {
			err = errors.Join(err, ended)
		}
		return err
	}, nil
}

// freeAddress returns an address without a listener.
func freeAddress(ctx context.Context) (string, error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return listener.Addr().String(), listener.Close()
}

// lines collects the output of the program, from many goroutines.
type lines struct {
	mu   sync.Mutex
	out  io.Writer
	err  error
	seen func(line string) // may be nil
}

func (l *lines) print(format string, args ...any) {
	line := term.Clean(fmt.Sprintf(format, args...))
	l.mu.Lock()
	if l.err == nil {
		_, l.err = fmt.Fprintln(l.out, line)
	}
	l.mu.Unlock()
	if l.seen != nil {
		l.seen(line)
	}
}

// unless prints an error that is none of a usual end.
func (l *lines) unless(usual, err error) {
	if err != nil && !errors.Is(err, usual) {
		l.print("error: %v", err)
	}
}
