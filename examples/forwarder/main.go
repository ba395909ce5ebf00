// Forwarder passes the changes of matters on to another system. It loses no
// notification that it has acknowledged.
//
//	go run ./examples/forwarder [-dir DIR -to URL -listen ADDR -callback URL [-keep FILE]]
//	go run ./examples/forwarder -replay FILE -to URL
//
// Without any variable it starts the embedded service and a system that is
// often out of order, and shows five changes. With PRACTICE_BASE_URL and the
// other variables of docs/getting-started.md, with PRACTICE_WEBHOOK_KEY and
// with all four flags it forwards from that service until Ctrl-C.
//
// A notification is on disk before it is acknowledged. The program sends the
// matter as the service has it now, and not the payload, which nobody signed.
// The other system may get a change twice, under one Idempotency-Key. While it
// is out of order the changes wait. A change that it refuses becomes a dead
// letter of the queue.
//
// While you develop a receiver: -keep prints every notification that was
// acknowledged, and appends it to a file. -replay sends what is in such a file
// to an address of your own, signed as of now with PRACTICE_WEBHOOK_KEY for
// PRACTICE_CLIENT_ID. It needs no service.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"sync"
	"time"

	"github.com/practicesdk/practice-go/adapters/nats"
	"github.com/practicesdk/practice-go/examples/internal/program"
	"github.com/practicesdk/practice-go/examples/internal/setup"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/webhook"
	"github.com/practicesdk/practice-go/webhook/fetch"
	"github.com/practicesdk/practice-go/webhook/subscribe"
)

const usage = `usage: forwarder [flags]
  -dir DIR       directory of the queue
  -to URL        address of the other system
  -listen ADDR   host and port to receive at
  -callback URL  address for the subscription: there the service reaches -listen
  -keep FILE     print the notifications, and append them to a file
  -replay FILE   send those of a file to -to, signed as of now, and nothing else
`

func main() {
	os.Exit(program.Run("forwarder", usage, os.Stdout, os.Stderr, func(ctx context.Context) error {
		return run(ctx, os.Args[1:], os.Stdout, os.Getenv)
	}))
}

func run(ctx context.Context, args []string, stdout io.Writer, env func(string) string) error {
	var o options
	flags := flag.NewFlagSet("forwarder", flag.ContinueOnError)
	flags.StringVar(&o.dir, "dir", "", "")
	flags.StringVar(&o.to, "to", "", "")
	flags.StringVar(&o.listen, "listen", "", "")
	flags.StringVar(&o.callback, "callback", "", "")
	flags.StringVar(&o.keep, "keep", "", "")
	flags.StringVar(&o.replay, "replay", "", "")
	o.key = models.NewSecret(env(setup.Variable("WEBHOOK_KEY")))
	switch err := program.Parse(flags, args, 0); {
	case err != nil:
		return err
	case o.replay != "":
		return o.sendAgain(ctx, env(setup.Variable("CLIENT_ID")), &lines{out: stdout})
	case env(setup.Variable("BASE_URL")) == "":
		return demonstrate(ctx, o.keep, stdout, env)
	case o.dir == "" || o.to == "" || o.listen == "" || o.callback == "" || o.key.IsZero():
		return fmt.Errorf("%w: -dir, -to, -listen, -callback and %s are needed", program.ErrUsage, setup.Variable("WEBHOOK_KEY"))
	}
	service, err := setup.Open(env, setup.Options{Program: "practice-forwarder"})
	if err != nil {
		return err
	}
	return errors.Join(o.forward(ctx, service, &lines{out: stdout}), service.Close())
}

type options struct {
	dir, to, listen, callback string
	keep, replay              string
	key                       models.Secret // of the subscription
}

// forward works until ctx ends. It then takes no more deliveries and finishes
// what it has begun; the queue keeps the rest for the next run.
func (o options) forward(ctx context.Context, service *setup.Service, log *lines) (err error) {
	queue, err := nats.Open(ctx, o.dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, queue.Close(context.WithoutCancel(ctx))) }()
	receiver, err := webhook.NewReceiver(service.ClientID, webhook.Keys(o.key),
		webhook.WithQueue(queue.Queue()), webhook.WithDeduplicator(queue.Deduplicator()), webhook.WithSerialRecords(),
		webhook.WithRetryPolicy(webhook.RetryPolicy{Attempts: 1000, First: 100 * time.Millisecond, Max: time.Minute}),
		webhook.WithErrorHook(func(_ context.Context, err *webhook.DeliveryError) { log.print("error: %v", err) }))
	if err != nil {
		return err
	}
	fetch.On(receiver, fetch.From(service.Client), models.EventTypeMatterUpdated, func(ctx context.Context, e *fetch.Event[models.Matter]) error {
		return o.send(ctx, e, log)
	})
	handler, closeFile, err := o.kept(receiver, log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeFile()) }()
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", o.listen)
	if err != nil {
		return err
	}
	server := &http.Server{Handler: handler, ReadHeaderTimeout: webhook.ServiceTimeout, ReadTimeout: webhook.ServiceTimeout}
	var tasks sync.WaitGroup
	tasks.Go(func() { log.unless(http.ErrServerClosed, server.Serve(listener)) }) // both end with Shutdown
	tasks.Go(func() { log.unless(nil, receiver.Run(context.WithoutCancel(ctx))) })
	tasks.Go(func() { o.subscribe(ctx, service, log) })
	<-ctx.Done()
	wait, cancel := context.WithTimeout(context.WithoutCancel(ctx), webhook.ServiceTimeout)
	defer cancel()
	err = errors.Join(server.Shutdown(wait), receiver.Shutdown(wait))
	tasks.Wait()
	return errors.Join(err, log.err)
}

// subscribe keeps the subscription in force: the service drops it with the
// grant.
func (o options) subscribe(ctx context.Context, service *setup.Service, log *lines) {
	spec := subscribe.Spec{
		Name: "Forwarder", EventNotificationURL: o.callback, Key: o.key, WriteKey: true,
		EventTypes: []models.EventType{models.EventTypeMatterUpdated.Type()},
	}
	for report, err := range subscribe.Keep(ctx, service.Client, spec) {
		switch {
		case err != nil:
			log.print("error: %v", err) // it is tried again
		case report.Missed != nil && !report.Missed.Since.IsZero():
			log.print("the subscription was gone: changes since %s are missing", report.Missed.Since.Format(time.RFC3339))
		case report.Action != subscribe.Kept:
			log.print("subscription %s", report.Action)
		}
	}
}

// send gives the other system the matter. It is called again later when that
// fails.
func (o options) send(ctx context.Context, e *fetch.Event[models.Matter], log *lines) error {
	method, body := http.MethodDelete, []byte(nil)
	if !e.Gone() {
		text, err := e.Record.MarshalJSON()
		if err != nil {
			return webhook.Permanent(err)
		}
		method, body = http.MethodPut, text
	}
	request, err := http.NewRequestWithContext(ctx, method, o.to+"/"+e.ID, bytes.NewReader(body))
	if err != nil {
		return webhook.Permanent(err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Idempotency-Key", e.Notification.Identity())
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	_ = response.Body.Close()
	switch {
	case response.StatusCode == http.StatusTooManyRequests || response.StatusCode >= http.StatusInternalServerError:
		return fmt.Errorf("the other system answered %s", response.Status)
	case response.StatusCode >= http.StatusBadRequest:
		return webhook.Permanent(fmt.Errorf("the other system refused: %s", response.Status)) // a dead letter, for a person
	}
	log.print("%s %s", method, e.ID)
	return nil
}
