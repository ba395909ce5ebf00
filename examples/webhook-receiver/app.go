package main

import (
	"context"
	"errors"
	"net"
	"net/http"
	"sync"
	"time"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/examples/internal/setup"
	"github.com/practicesdk/practice-go/practicetest"
	"github.com/practicesdk/practice-go/webhook"
)

// drainTime is the time that handlers have to finish when the program ends. The
// queue keeps the rest.
const drainTime = 15 * time.Second

// app is the program. Its parts are nil until they are open.
type app struct {
	options
	screen  *screen
	tally   tally
	db      *copied
	keys    keys
	state   *state
	service *setup.Service

	listener net.Listener
	receiver *webhook.Receiver
	server   *http.Server
	served   chan error
	tasks    sync.WaitGroup // goroutines that end with the context of the tasks
}

// open opens everything in the order of its use.
func (a *app) open(ctx context.Context, env setup.Env) (err error) {
	if err := a.prepare(env(setup.Variable("BASE_URL")) == ""); err != nil {
		return err
	}
	if a.db, err = openDatabase(ctx, a.options.db); err != nil {
		return err
	}
	if a.keys, err = a.db.keys(ctx, env); err != nil {
		return err
	}
	if a.state, err = openState(ctx, a.options); err != nil {
		return err
	}
	client := []practice.ClientOption{practice.WithRequestIDSigner(a.keys.requestID)}
	if a.state.limiter != nil && !setup.Loopback(env(setup.Variable("BASE_URL"))) {
		client = append(client, practice.WithLimiter(a.state.limiter))
	}
	a.service, err = setup.Open(env, setup.Options{
		Program: "practice-webhook-receiver",
		Client:  client,
		Service: []practicetest.Option{
			practicetest.WithWebhookChaos(0.2, 0.2), practicetest.WithWebhookRedeliveries(5),
		},
	})
	if err != nil {
		return err
	}
	if a.listener, err = new(net.ListenConfig).Listen(ctx, "tcp", a.listen); err != nil {
		return err
	}
	a.receiver, err = a.newReceiver()
	return err
}

// close closes all resources, the last first.
func (a *app) close(ctx context.Context) error {
	var errs []error
	if a.listener != nil && a.server == nil {
		errs = append(errs, a.listener.Close())
	}
	if a.service != nil {
		_ = a.service.LateFailures() // the receiver has heard of them itself
		errs = append(errs, a.service.Close())
	}
	if a.state != nil {
		ctx, cancel := context.WithTimeout(ctx, drainTime)
		defer cancel()
		errs = append(errs, a.state.close(ctx))
	}
	if a.db != nil {
		errs = append(errs, a.db.Close())
	}
	return errors.Join(errs...)
}

// run receives events until all events of the embedded service are handled, or
// until ctx ends.
func (a *app) run(ctx context.Context) (err error) {
	if err := a.greet(ctx); err != nil {
		return err
	}
	tasks, end := context.WithCancel(context.WithoutCancel(ctx))
	defer func() { err = errors.Join(err, a.drain(tasks, end)) }()
	a.serve(tasks)
	if err := a.subscribe(ctx, tasks); err != nil {
		return errorUnlessEnded(ctx, err)
	}
	if a.service.Embedded {
		return errorUnlessEnded(ctx, a.stream(ctx))
	}
	<-ctx.Done()
	return nil
}

// errorUnlessEnded is nil after Ctrl-C, which is a way to end this program.
func errorUnlessEnded(ctx context.Context, err error) error {
	select {
	case <-ctx.Done():
		return nil
	default:
		return err
	}
}

// serve accepts deliveries and handles them.
func (a *app) serve(ctx context.Context) {
	mux := http.NewServeMux()
	mux.Handle("POST "+path, a.receiver)
	a.server = &http.Server{Handler: mux, ReadHeaderTimeout: webhook.ServiceTimeout, ReadTimeout: webhook.ServiceTimeout}
	a.served = make(chan error, 1)
	go func() { a.served <- a.server.Serve(a.listener) }()
	a.tasks.Go(func() {
		if err := a.receiver.Run(ctx); err != nil {
			a.screen.bad("%v", err)
		}
	})
}

// drain ends in this order: no more deliveries come in, the handlers finish,
// and nobody works any more. The queue keeps its messages.
func (a *app) drain(ctx context.Context, end context.CancelFunc) error {
	wait, cancel := context.WithTimeout(context.WithoutCancel(ctx), drainTime)
	defer cancel()
	err := a.server.Shutdown(wait)
	if served := <-a.served; !errors.Is(served, http.ErrServerClosed) {
		err = errors.Join(err, served)
	}
	err = errors.Join(err, a.receiver.Shutdown(wait))
	end()
	a.tasks.Wait()
	return errors.Join(err, a.farewell(wait), a.screen.err())
}
