package subscribe

import (
	"context"
	"errors"
	"strings"
	"time"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
)

const ensureOperation = "subscribe.Ensure"

// Ensure creates or corrects a webhook subscription. It lists the client's
// subscriptions for its account and looks for the name or callback URL of spec.
// It creates the subscription if there is none, updates it if it differs from
// spec, and otherwise leaves it alone. It deletes duplicates only with
// RemoveDuplicates, and never deletes other subscriptions. Observers see one
// operation, "subscribe.Ensure".
//
// It creates a subscription only after it has seen all existing ones. If the
// service does not return the id of a created subscription, Ensure fails with
// [practice.ErrNoID], and another Ensure finds the subscription. A check that
// fails during a write that may have taken effect returns a *CheckError, whose
// Check the next check needs in order to report the gap. For an invalid spec,
// it returns a *practice.ArgumentError and does not send a request. If
// duplicates cannot be deleted, Ensure returns both a report and an error.
// Machines that call Ensure at the same time may each create a subscription;
// they list them again afterwards, and find the duplicates then or in the next
// check.
func Ensure(ctx context.Context, client *practice.Client, spec Spec) (report *Report, err error) {
	err = client.Observe(ctx, ensureOperation, func(ctx context.Context) error {
		if err := spec.fault(client); err != nil {
			return err
		}
		c := newCheck(&spec, time.Now())
		for r := c.next(); r.verb != done; r = c.next() {
			c.learn(r, perform(ctx, client, &spec, r))
		}
		report, err = c.report(time.Now())
		return err
	})
	return report, err
}

// perform sends a request to the service.
func perform(ctx context.Context, client *practice.Client, spec *Spec, r request) answer {
	var one *models.WebhookSubscription
	var err error
	switch r.verb {
	case list:
		return listAll(ctx, client)
	case read:
		one, err = client.Webhooks.Get(ctx, r.id)
	case create:
		one, err = client.Webhooks.Create(ctx, spec.body())
	case update:
		one, err = client.Webhooks.Update(ctx, r.id, spec.body())
	case remove:
		_, err = client.Webhooks.Delete(ctx, r.id)
	}
	_, unclear := errors.AsType[*practice.AmbiguousWriteError](err)
	_, unread := errors.AsType[*practice.DecodeError](err) // the response to an accepted creation
	a := answer{err: err, gone: errors.Is(err, practice.ErrNotFound), unclear: unclear || unread}
	if err == nil && one != nil && hasAccount(client.AccountID(), one) {
		a.found = []models.WebhookSubscription{*one}
	}
	return a
}

func listAll(ctx context.Context, client *practice.Client) (a answer) {
	for s, err := range client.Webhooks.All(ctx, practice.WebhookSubscriptionListOptions{}) {
		if err != nil {
			return answer{err: err}
		}
		if hasAccount(client.AccountID(), &s) {
			a.found = append(a.found, s)
		}
	}
	return a
}

// hasAccount reports whether a subscription belongs to the account own, however
// its id is spelled. A client without an account prefix does not know its
// account, so own is empty; only subscriptions to system events are then
// excluded.
func hasAccount(own string, s *models.WebhookSubscription) bool {
	switch {
	case s.AccountID == "":
		return true
	case own == "":
		return !sameID(s.AccountID, practice.SystemAccountID)
	default:
		return sameID(own, s.AccountID)
	}
}

func sameID(a, b string) bool {
	return strings.EqualFold(strings.ReplaceAll(a, "-", ""), strings.ReplaceAll(b, "-", ""))
}
