package subscribe

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
)

const ensureOperation = "subscribe.Ensure"

// Ensure creates or repairs a webhook subscription. It lists the subscriptions
// of the client for its account and looks for the name or callback address of
// spec. It leaves the subscription alone when it matches spec, updates it when
// it differs, whoever changed it and how often, and creates it when there is
// none. It deletes duplicates only with RemoveDuplicates, and no other
// subscription ever. It is observed as one operation, "subscribe.Ensure".
//
// It creates nothing unless it has seen every subscription, and fails with
// [practice.ErrNoID] when the service does not name the id; another Ensure then
// finds what was created. A check that fails in a write which may have taken
// effect is a *CheckError, and has what the next check needs to report the gap.
// An invalid spec is a *practice.ArgumentError, and nothing is sent. When
// duplicates cannot be deleted there is a report as well as an error. Machines
// that do this at the same time may each create a subscription; they look again
// afterwards, and then or in the next check find the duplicates.
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

// perform makes a request to the service.
func perform(ctx context.Context, client *practice.Client, spec *Spec, r request) answer {
	var one *models.WebhookSubscription
	var err error
	switch r.verb {
	case list:
		return listAll(ctx, client)
	case read:
		if one, err = client.Webhooks.Get(ctx, r.id); err == nil && one.ID != r.id {
			err = fmt.Errorf("subscribe: the subscription was read: %w", practice.ErrNoID)
		}
	case create:
		one, err = client.Webhooks.Create(ctx, spec.body())
	case update:
		one, err = client.Webhooks.Update(ctx, r.id, spec.body())
	case remove:
		_, err = client.Webhooks.Delete(ctx, r.id)
	}
	_, unclear := errors.AsType[*practice.AmbiguousWriteError](err)
	_, unread := errors.AsType[*practice.DecodeError](err) // the answer to an accepted creation
	a := answer{err: err, gone: errors.Is(err, practice.ErrNotFound), unclear: unclear || unread}
	if err == nil && one != nil && hasAccount(client, one) {
		a.found = []models.WebhookSubscription{*one}
	}
	return a
}

func listAll(ctx context.Context, client *practice.Client) (a answer) {
	for s, err := range client.Webhooks.All(ctx, practice.WebhookSubscriptionListOptions{}) {
		if err != nil {
			return answer{err: err}
		}
		if hasAccount(client, &s) {
			a.found = append(a.found, s)
		}
	}
	return a
}

// hasAccount reports whether a subscription is for the account of the client. A
// client without an account prefix does not know its account, except that it is
// not that of system events.
func hasAccount(client *practice.Client, s *models.WebhookSubscription) bool {
	own := client.AccountID()
	switch {
	case s.AccountID == "":
		return true
	case own == "":
		return s.AccountID != practice.SystemAccountID
	default:
		return strings.EqualFold(own, s.AccountID)
	}
}
