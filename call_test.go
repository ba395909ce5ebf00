package practice_test

import (
	"errors"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/operations/variants"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

// FuzzPathValuesStayInTheirPlace checks that any path value that is sent
// arrives unchanged, in its place, and changes no other part of the path.
func FuzzPathValuesStayInTheirPlace(f *testing.F) {
	for _, seed := range append([]string{"a b", "Größe", "%2F", "%2e%2e", "a?b#c", "{x}", ";v=1", "+", "...", "a:b@c", "🧾", "~", "%"}, variants.BadIdentifiers()...) {
		f.Add(seed, "x")
		f.Add("x", seed)
	}
	f.Fuzz(func(t *testing.T, first, second string) {
		for _, base := range []string{"https://api.example.test", testkit.OddBase, "https://api.example.test/v%201/%C3%A4"} {
			service := &testkit.Recorder{Status: 200}
			client := service.Client(t, base)
			request := practice.Request{Method: "GET", Path: "/a/{first}/b/{second}/c", PathValues: []string{first, second}}
			if err := client.Do(t.Context(), request, nil); err != nil {
				require.True(t, testkit.IsArgumentError(err), "%v", err)
				require.Empty(t, service.Asked)
				continue
			}
			require.Len(t, service.Asked, 1)
			sent := service.Asked[0].URL
			assert.Empty(t, sent.RawQuery)
			assert.Empty(t, sent.Fragment)
			onTheWire, err := url.ParseRequestURI(sent.RequestURI())
			require.NoError(t, err)
			assert.Equal(t, sent.EscapedPath(), onTheWire.EscapedPath())
			rest, ok := strings.CutPrefix("https://api.example.test"+onTheWire.EscapedPath(), base)
			require.True(t, ok, "%s", sent)
			var plain []string
			for segment := range strings.SplitSeq(rest, "/") {
				text, err := url.PathUnescape(segment)
				require.NoError(t, err)
				plain = append(plain, text)
			}
			assert.Equal(t, []string{"", "a", first, "b", second, "c"}, plain)
			for _, reading := range testkit.ReadingsOf(t, rest) {
				assert.Equal(t, 5, strings.Count(strings.TrimSuffix(reading, "/"), "/"), "%q", reading)
			}
		}
	})
}

// TestTheClientRefusesMoreThanTheDescription checks the arguments that the
// client refuses although the description allows them or cannot express them.
// Tests in internal/operations cover the refusals that follow from the
// description.
func TestTheClientRefusesMoreThanTheDescription(t *testing.T) {
	t.Parallel()
	earlier := time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)
	subscription := func(change func(*models.WebhookSubscriptionWrite)) models.WebhookSubscriptionWrite {
		w := testkit.SubscriptionOf("matter.updated")
		change(&w)
		return w
	}
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, c *practice.Client) {
		ctx, f := t.Context(), server.Firm()
		fee := func(patch models.FeePatch) error {
			return testkit.Discard(c.Fees.Patch(ctx, f.MatterID, f.FeeID, patch))
		}
		none := subscription(func(w *models.WebhookSubscriptionWrite) { w.EventTypes = []models.EventType{} })
		keyless := subscription(func(w *models.WebhookSubscriptionWrite) { w.Key = models.Some(models.NewSecret("")) })
		for _, test := range []struct {
			rule, argument string
			err            error
		}{
			{"a subject is never null", "subject", fee(models.FeePatch{Subject: models.Null[string]()})},
			{"a day that is none", "feeDate", fee(models.FeePatch{FeeDate: models.Some(models.Date{})})},
			{"a rate that is no number", "rate", fee(models.FeePatch{Rate: models.Some(models.Decimal{})})},
			{"a tax that is no number", "tax", fee(models.FeePatch{Tax: models.Some(models.Decimal{})})},
			{"no tags to remove", "tags", testkit.Discard(c.Contacts.RemoveTags(ctx, f.ContactID, nil))},
			{"another contact in the body", "relatedContactId", testkit.Discard(c.Contacts.UpdateRelation(ctx, f.ContactID, f.RelatedContactID, models.RelationWrite{RelatedContactID: f.ContactID}))},
			{"an end before the beginning", "To", testkit.Discard(c.Events.List(ctx, practice.EventListOptions{From: earlier, To: earlier.Add(-time.Hour)}))},
			{"no event types to create", "eventTypes", testkit.Discard(c.Webhooks.Create(ctx, none))},
			{"no event types to update", "eventTypes", testkit.Discard(c.Webhooks.Update(ctx, f.WebhookID, none))},
			{"an empty key to create", "key", testkit.Discard(c.Webhooks.Create(ctx, keyless))},
			{"an empty key to update", "key", testkit.Discard(c.Webhooks.Update(ctx, f.WebhookID, keyless))},
		} {
			refused, ok := errors.AsType[*practice.ArgumentError](test.err)
			require.True(t, ok, "%s: %v", test.rule, test.err)
			assert.Equal(t, test.argument, refused.Argument, test.rule)
		}
		assert.Empty(t, server.Requests())
	})
}

func TestSomeIdentifiersMustBeUUIDs(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := practicetest.New(t)
		c, ctx, f := server.Client(t), t.Context(), server.Firm()
		for argument, call := range map[string]func(id string) error{
			"relatedContactId": func(id string) error {
				return testkit.Discard(c.Contacts.UpdateRelation(ctx, f.ContactID, id, models.RelationWrite{}))
			},
			"contactId": func(id string) error {
				_, err := c.Portal.SendMessage(ctx, f.MatterID, models.PortalMessage{Message: "x", ContactID: id})
				return err
			},
			"matterId": func(id string) error { return testkit.Discard(c.Roles.GetRelationships(ctx, id, f.RoleID)) },
			"roleId":   func(id string) error { return testkit.Discard(c.Roles.GetRelationships(ctx, f.MatterID, id)) },
			"id": func(id string) error {
				return testkit.Discard(c.Subscriptions.GetPaymentMethod(ctx, f.SubscriptionID, id))
			},
		} {
			for _, bad := range append(variants.BadIdentifiers(), "MyFirm", "not-a-uuid", "{"+testkit.UnknownID+"}") {
				refused, ok := errors.AsType[*practice.ArgumentError](call(bad))
				require.True(t, ok, "%s %q", argument, bad)
				assert.Equal(t, argument, refused.Argument)
			}
		}
		assert.Empty(t, server.Requests())
	})
}
