// Webhook-receiver receives the service's notifications and stores them before
// it acknowledges them. Each notification takes effect once in a database.
//
//	go run ./examples/webhook-receiver [flags]
//
// You can kill it at any time, even with kill -9: the same command continues
// with the acknowledged notifications. Two instances can share the work through
// one queue (-nats) and one database. The Dockerfile in this directory builds
// an image of the program.
//
// To use it with your service, set -dir, set -callback to the URL under which
// the service reaches -listen, and set PRACTICE_WEBHOOK_KEY, the key that signs
// notifications. Without PRACTICE_BASE_URL, it simulates changes of matters in
// the embedded service, which repeats and reorders notifications.
package main

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/adapters/nats"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
	"github.com/practicesdk/practice-go/webhook"
	"github.com/practicesdk/practice-go/webhook/fetch"
	"github.com/practicesdk/practice-go/webhook/subscribe"
)

func main() {
	log.SetFlags(log.Ltime)
	log.SetOutput(os.Stdout)
	var a app
	flag.StringVar(&a.dir, "dir", "", "`directory` of the queue and the database")
	flag.StringVar(&a.nats, "nats", "", "`address` of a NATS server whose queue instances share")
	flag.StringVar(&a.listen, "listen", "127.0.0.1:0", "`host:port` to receive at")
	flag.StringVar(&a.callback, "callback", "", "`URL` under which the service reaches -listen")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := a.start(ctx); err != nil {
		log.Fatal(err)
	}
}

// app holds the options and the state of the program.
type app struct {
	client                      *practice.Client
	clientID                    string
	key                         models.Secret // signing key of the subscription
	dir, nats, listen, callback string

	db         *sql.DB
	queue      *nats.Engine
	receiver   *webhook.Receiver
	subscribed chan<- string // receives the result of the subscription; nil unless it is shown
}

// run receives deliveries until ctx ends. Then it stops accepting deliveries
// and waits for the handlers; the queue keeps the rest for the next run.
func (a *app) run(ctx context.Context) (err error) {
	if err := os.MkdirAll(a.dir, 0o700); err != nil {
		return err
	}
	if a.db, err = openDatabase(ctx, filepath.Join(a.dir, "copy.db"), schema); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.db.Close()) }()
	options := []nats.Option{nats.WithLease(5 * time.Second)} // wait before a message of a killed process is delivered again
	if a.nats != "" {
		options = append(options, nats.WithServers(a.nats))
	}
	if a.queue, err = nats.Open(ctx, filepath.Join(a.dir, "queue"), options...); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, step(ctx, 5*time.Second, a.queue.Close)) }()
	if a.receiver, err = a.newReceiver(); err != nil {
		return err
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", a.listen)
	if err != nil {
		return err
	}
	log.Printf("Listening at http://%s", listener.Addr())
	server := &http.Server{
		Handler: a.routes(), MaxHeaderBytes: 16 << 10, ReadHeaderTimeout: webhook.ServiceTimeout / 2,
		ReadTimeout: webhook.ServiceTimeout, WriteTimeout: 2 * webhook.ServiceTimeout, IdleTimeout: time.Minute,
	}
	if a.callback == "" {
		a.callback = "http://" + listener.Addr().String() + "/hooks"
	}
	var tasks sync.WaitGroup
	tasks.Go(func() { _ = server.Serve(listener) })
	tasks.Go(func() { // its context outlives the signal; Shutdown ends it
		if err := a.receiver.Run(context.WithoutCancel(ctx)); err != nil {
			log.Print(err)
		}
	})
	tasks.Go(func() { a.subscribe(ctx) })
	<-ctx.Done()
	// In all shorter than the grace period of the platform.
	err = errors.Join(step(ctx, 5*time.Second, server.Shutdown), server.Close(), step(ctx, 15*time.Second, a.receiver.Shutdown))
	tasks.Wait()
	return err
}

// step ends a part of the program after ctx has ended. A part that hangs takes
// no time from the next one.
func step(ctx context.Context, limit time.Duration, end func(context.Context) error) error {
	limited, cancel := context.WithTimeout(context.WithoutCancel(ctx), limit)
	defer cancel()
	return end(limited)
}

// newReceiver returns the receiver with its handler. The handler reads the
// matter from the service, because the signature does not cover the payload.
func (a *app) newReceiver() (*webhook.Receiver, error) {
	receiver, err := webhook.NewReceiver(a.clientID, webhook.Keys(a.key),
		webhook.WithQueue(a.queue.Queue()),
		webhook.WithDeduplicator(a.queue.Store()),
		// Retries for about three quarters of an hour, then dead-letters.
		webhook.WithRetryPolicy(webhook.RetryPolicy{Attempts: 100, First: 250 * time.Millisecond, Max: 30 * time.Second}),
		webhook.WithErrorHook(func(_ context.Context, err *webhook.DeliveryError) { log.Print(err) }),
		webhook.WithAlarmHook(func(_ context.Context, alarm webhook.Alarm) (refuse bool) {
			log.Printf("The signature of request %s came with two bodies: one may be forged.", alarm.Verified.RequestID)
			return false
		}))
	if err != nil {
		return nil, err
	}
	fetch.On(receiver, fetch.From(a.client), models.EventTypeMatterUpdated, func(ctx context.Context, e *fetch.Event[models.Matter]) error {
		return apply(ctx, a.db, e)
	})
	return receiver, nil
}

// schema stores a copy of the matters, and in the same transaction the events
// that were handled. It is not published how late the service may repeat an
// event, so their rows are not deleted.
const schema = `
CREATE TABLE IF NOT EXISTS effects (
	identity TEXT PRIMARY KEY, -- of the event
	matter   TEXT NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS matters (
	id     TEXT PRIMARY KEY,
	event  INTEGER NOT NULL, -- the time of the newest event that took effect
	record TEXT              -- NULL when the service does not have it any more
) STRICT;
CREATE TABLE IF NOT EXISTS subscription (
	one   INTEGER PRIMARY KEY CHECK (one = 1),
	found TEXT NOT NULL -- by the last check
) STRICT;`

// apply stores the matter and the event in one transaction. So the effect
// happens once even if several instances handle the event, and an older event
// has no effect after a newer one. To pass the change on to another system
// instead, send e.Notification.Identity() as the idempotency key.
func apply(ctx context.Context, db *sql.DB, e *fetch.Event[models.Matter]) error {
	n := e.Notification
	if n.Timestamp.Time().After(n.Verified.SentAt.Time().Add(webhook.DefaultTolerance)) {
		// The body is not signed. A time in the future would make later events
		// look stale.
		return webhook.Permanent(fmt.Errorf("event %s happened after it was sent", n.Identity()))
	}
	var record sql.NullString
	if !e.Gone() {
		text, err := e.Record.MarshalJSON()
		if err != nil {
			return webhook.Permanent(err)
		}
		record = sql.NullString{String: string(text), Valid: true}
	}
	return transact(ctx, db, func(tx *sql.Tx) error {
		took, err := tx.ExecContext(ctx, `INSERT INTO effects VALUES (?, ?) ON CONFLICT DO NOTHING`, n.Identity(), e.ID)
		if err != nil {
			return err
		}
		if rows, err := took.RowsAffected(); err != nil || rows == 0 {
			return err // it was handled before
		}
		_, err = tx.ExecContext(ctx, `INSERT INTO matters VALUES (?1, ?2, ?3)
			ON CONFLICT DO UPDATE SET event = ?2, record = ?3 WHERE event <= ?2`, e.ID, int64(n.Timestamp), record)
		return err
	})
}

// routes returns the handlers for the webhook and for readiness probes. The
// process is ready if it can store a delivery, even if the service is
// unavailable.
func (a *app) routes() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("POST /hooks", a.receiver)
	mux.HandleFunc("GET /ready", func(w http.ResponseWriter, r *http.Request) {
		if _, err := a.receiver.Backlog(r.Context()); err != nil {
			http.Error(w, "the queue does not answer", http.StatusServiceUnavailable)
		}
	})
	return mux
}

// subscribe maintains the subscription, because the service drops it with the
// grant. It stores the result of each check, so that the next run can report a
// gap.
func (a *app) subscribe(ctx context.Context) {
	spec := subscribe.Spec{
		Name: "Webhook receiver", EventNotificationURL: a.callback, Key: a.key, WriteKey: true, // written because the service does not show keys
		EventTypes: []models.EventType{models.EventTypeMatterUpdated.Type()},
	}
	var found string
	if err := a.db.QueryRowContext(ctx, `SELECT found FROM subscription`).Scan(&found); err == nil {
		_ = json.Unmarshal([]byte(found), &spec.LastCheck) // an unreadable value counts as none
	}
	for report, err := range subscribe.Keep(ctx, a.client, spec) {
		check := spec.LastCheck
		if failed, isCheck := errors.AsType[*subscribe.CheckError](err); isCheck {
			check = failed.Check
		}
		if err != nil {
			log.Print(err) // the next check retries
		} else {
			check = report.Check
			a.report(report)
		}
		text, _ := json.Marshal(check) // never fails: only strings, times and booleans
		if _, err := a.db.ExecContext(ctx, `INSERT INTO subscription VALUES (1, ?1) ON CONFLICT DO UPDATE SET found = ?1`, string(text)); err != nil && ctx.Err() == nil {
			log.Print(err)
		}
	}
}

func (a *app) report(report *subscribe.Report) {
	if report.Action != subscribe.Kept {
		log.Printf("Subscription %s", report.Action)
	}
	if report.Missed != nil && !report.Missed.Since.IsZero() {
		log.Printf("Events since %s may be missing: make a full round.", report.Missed.Since.Format(time.DateTime))
	}
	if a.subscribed != nil {
		a.subscribed <- string(report.Action)
		a.subscribed = nil
	}
}

// start runs the program for the service in the environment variables, or the
// demonstration.
func (a *app) start(ctx context.Context) (err error) {
	client, demo, err := connect(practicetest.WithWebhookChaos(0.2, 0.2), practicetest.WithWebhookRedeliveries(5))
	if err != nil {
		return err
	}
	a.client, a.clientID, a.key = client, os.Getenv("PRACTICE_CLIENT_ID"), models.NewSecret(os.Getenv("PRACTICE_WEBHOOK_KEY"))
	if demo != nil {
		return a.demonstrate(ctx, demo)
	}
	if a.dir == "" || a.callback == "" || a.key.IsZero() {
		return errors.New("-dir, -callback and PRACTICE_WEBHOOK_KEY are needed")
	}
	return a.run(ctx)
}

// demonstrate runs the program while matters change, until all changes have
// been handled.
func (a *app) demonstrate(ctx context.Context, server *practicetest.Server) (err error) {
	a.clientID, a.key = server.Credentials().ClientID, models.NewSecret(rand.Text())
	if a.dir == "" {
		if a.dir, err = os.MkdirTemp("", "practice-receiver-"); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(a.dir)) }()
	}
	const changes = 40
	ctx, end := context.WithCancel(ctx)
	defer end()
	subscribed, ended := make(chan string, 1), make(chan error, 1)
	a.subscribed = subscribed
	go func() { ended <- a.run(ctx) }()
	select {
	case <-subscribed:
	case err := <-ended:
		return err
	}
	for i := 0; i < changes && err == nil; i++ {
		_, err = a.client.Matters.Patch(ctx, server.Firm().MatterIDs[i%5], models.MatterPatch{Description: models.Some(fmt.Sprintf("Change %d", i))})
	}
	if err == nil {
		server.Settle()
		err = server.Flush(ctx)
	}
	log.Printf("%d changes of matters were made.", changes)
	if err == nil {
		err = a.handled(ctx)
	}
	if err == nil {
		stats := a.receiver.Stats()
		log.Printf("%d deliveries were acknowledged, %d of them repetitions.", stats.Queued, stats.Duplicates)
		log.Print("Next: set PRACTICE_BASE_URL, the other variables and the flags.")
	}
	end()
	return errors.Join(err, <-ended)
}

// handled waits until the queue is empty.
func (a *app) handled(ctx context.Context) error {
	for {
		backlog, err := a.receiver.Backlog(ctx)
		if err != nil || backlog.Messages == 0 {
			return err
		}
		select {
		case <-time.After(50 * time.Millisecond):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}
