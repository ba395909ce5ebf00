package main

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/practicesdk/practice-go/examples/internal/setup"
	"github.com/practicesdk/practice-go/examples/internal/term"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/webhook/subscribe"
)

// address is where the service delivers to.
func (a *app) address() string {
	return cmp.Or(a.callback, "http://"+a.listener.Addr().String()+path)
}

// subscribe makes sure of the subscription, and keeps it in force until tasks
// ends.
func (a *app) subscribe(ctx, tasks context.Context) error {
	last, err := a.db.seen(ctx)
	if err != nil {
		return err
	}
	want := subscribe.Spec{
		Name: "Webhook receiver", EventNotificationURL: a.address(), Key: a.keys.webhook,
		WriteKey:  true, // the service does not show the key that it has
		LastCheck: last,
		EventTypes: []models.EventType{
			models.EventTypeContactUpdated.Type(), models.EventTypeMatterUpdated.Type(), models.EventTypeError.Type(),
		},
	}
	report, err := subscribe.Ensure(ctx, a.service.Client, want)
	if err != nil {
		return a.unsure(ctx, err)
	}
	if err := a.report(ctx, report); err != nil {
		return err
	}
	want.LastCheck, want.WriteKey = report.Check, false
	a.tasks.Go(func() { a.keep(tasks, want) })
	return nil
}

// keep looks after the subscription: it vanishes with the grant that made it.
func (a *app) keep(ctx context.Context, want subscribe.Spec) {
	for report, err := range subscribe.Keep(ctx, a.service.Client, want) {
		switch {
		case err != nil:
			err = a.unsure(ctx, err)
		case report.Action == subscribe.Kept:
			err = a.db.setSeen(ctx, report.Check)
		default:
			err = a.report(ctx, report)
		}
		if err != nil && ctx.Err() == nil {
			a.screen.bad("The subscription: %v", err)
		}
	}
}

// unsure keeps what a check that failed has to tell to the next one, which may
// be of another run.
func (a *app) unsure(ctx context.Context, err error) error {
	if failed, ok := errors.AsType[*subscribe.CheckError](err); ok {
		return errors.Join(err, a.db.setSeen(ctx, failed.Check))
	}
	return err
}

func (a *app) report(ctx context.Context, report *subscribe.Report) error {
	a.screen.show(func(p *term.Printer) {
		p.Good("Subscription %s %s, for %s.", short(report.Subscription.ID), report.Action, report.Subscription.EventNotificationURL)
		if gap := report.Missed; gap != nil && !gap.Since.IsZero() {
			p.Line("Events since %s may not have arrived: read what has changed since then.", gap.Since.Format(time.DateTime))
		}
		if len(report.Duplicates) > 0 {
			p.Line("%s for the same purpose: events come more than once.", term.Count(len(report.Duplicates), "more subscription"))
		}
		p.Blank()
	})
	return a.db.setSeen(ctx, report.Check)
}

// greet says where everything is, and what an earlier run has left.
func (a *app) greet(ctx context.Context) error {
	waiting, err := a.state.engine.Queue().Len(ctx)
	if err != nil {
		return err
	}
	events, contacts, relations, err := a.db.totals(ctx)
	if err != nil {
		return err
	}
	a.screen.show(func(p *term.Printer) {
		p.Title("Webhook receiver, process %d", pid())
		p.Line("Listening at %s", "http://"+a.listener.Addr().String()+path)
		p.Line("The database is %s", a.options.db)
		p.Line("The queue is %s", cmp.Or(host(a.nats), "in "+a.dir))
		if events+waiting > 0 {
			p.Good("Found again: %s that took effect or were noted, %s with %s, and", term.Count(events, "event"),
				term.Count(contacts, "contact"), term.Count(relations, "relation"))
			p.Good("%s acknowledged and waiting to be handled.", were(waiting, "delivery", "deliveries"))
		}
		if a.service.Embedded {
			p.Note("Kill it in the middle, with kill -9 %d, and start it again.", pid())
		} else {
			p.Note("Receiving from %s until Ctrl-C; %s names another service.", a.service.BaseURL, setup.Variable("BASE_URL"))
		}
		p.Blank()
	})
	return a.screen.err()
}
