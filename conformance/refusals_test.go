package conformance_test

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

// refusal is a reason for refusing any request that the document allows.
type refusal struct {
	name    string
	status  int
	ids     int            // concerns operations with at least this number of ids in their path
	below   string         // concerns operations with this path prefix
	but     map[string]int // other statuses, by operation
	service []practicetest.Option
	options func(*practicetest.Server) []practice.ClientOption
	firm    func(practicetest.Firm) practicetest.Firm
	prepare func(*testing.T, *practicetest.Server)
}

func refusals() []refusal {
	fault := func(status int) func(*testing.T, *practicetest.Server) {
		return func(_ *testing.T, server *practicetest.Server) {
			server.Inject(practicetest.Fault{Status: status, Times: -1})
		}
	}
	slow := practicetest.WithRateLimit(0.001, 1)
	return []refusal{
		{
			name: "an access token that has expired", status: 401, prepare: func(_ *testing.T, server *practicetest.Server) { server.ExpireTokens() },
			options: func(server *practicetest.Server) []practice.ClientOption { // a token that is not renewed
				return []practice.ClientOption{practice.WithAccessToken(server.Credentials().AccessToken)}
			},
		},
		{name: "a user of another firm", status: 401, options: func(server *practicetest.Server) []practice.ClientOption {
			return append(asClient(server), practice.WithUserID(server.Firm().OtherFirmUserID))
		}},
		{
			name: "no account prefix, with a client of several accounts", status: 401, options: asClient,
			service: []practicetest.Option{practicetest.WithMultiAccount(true), practicetest.WithStrict(false)},
		},
		{name: "a wrong key", status: 403, options: func(*practicetest.Server) []practice.ClientOption {
			return []practice.ClientOption{practice.WithAPIKey("wrong")}
		}},
		{name: "a record of another firm", status: 403, ids: 1, firm: ofAnotherFirm},
		{name: "a record of nobody", status: 404, ids: 1, firm: ofNobody, but: map[string]int{"getPromotion": 400}},
		{name: "a record of nobody inside of one that is known", status: 404, ids: 2, firm: ofNobodyInside},
		{name: "a record of another matter", status: 404, ids: 2, below: "/matters/", firm: func(f practicetest.Firm) practicetest.Firm {
			f.MatterID = f.MatterIDs[1]
			return f
		}},
		{name: "too many requests", status: 429, prepare: spend, service: []practicetest.Option{slow}},
		{name: "too many requests, and when to come back", status: 429, prepare: spend, service: []practicetest.Option{slow, practicetest.WithRetryAfter(1)}},
		{name: "a failure", status: 500, prepare: fault(500)},
		{name: "an outage", status: 503, prepare: fault(503)},
	}
}

// spend sends the one request that the rate limit allows.
func spend(t *testing.T, server *practicetest.Server) {
	require.NoError(t, discard(server.Client(t).Webhooks.ListTypes(t.Context(), practice.EventTypeListOptions{})))
}

// ofAnotherFirm replaces records by those of the other firm, such as MatterID
// by OtherFirmMatterID.
func ofAnotherFirm(f practicetest.Firm) practicetest.Firm {
	eachOther(&f, func(own, other reflect.Value) { own.Set(other) })
	f.ColleagueUserID = f.OtherFirmUserID
	return f
}

const nobody = "00000000-0000-4000-8000-000000000000"

// ofNobody replaces records by missing ones of the same kinds. It keeps the
// suffix after a UUID in an id.
func ofNobody(f practicetest.Firm) practicetest.Firm {
	eachOther(&f, func(own, _ reflect.Value) {
		own.SetString(nobody + own.String()[min(len(nobody), own.Len()):])
	})
	f.ColleagueUserID = nobody
	return f
}

// eachOther visits the fields that also have a record of the other firm.
func eachOther(f *practicetest.Firm, visit func(own, other reflect.Value)) {
	fields := reflect.ValueOf(f).Elem()
	for field, other := range fields.Fields() {
		name, isOther := strings.CutPrefix(field.Name, "OtherFirm")
		if own := fields.FieldByName(name); isOther && own.IsValid() {
			visit(own, other)
		}
	}
}

func ofNobodyInside(f practicetest.Firm) practicetest.Firm {
	f.InvoiceID, f.TransactionID, f.ProtectionID = nobody, nobody, nobody
	f.FolderID, f.SubfolderID, f.FileID, f.FeeID, f.ExpenseID, f.RoleID = nobody, nobody, nobody, nobody, nobody, nobody
	f.RelatedContactID, f.TagID, f.PaymentMethodID, f.StageID = nobody, nobody, nobody, nobody
	f.MemoID, f.MatterItemID, f.MatterTagID, f.LayoutItemID, f.IntakeSubmissionID = nobody, nobody, nobody, nobody, nobody
	f.RelationshipID = nobody
	f.PortalTaskID = nobody
	f.PluginSubscriptionID = nobody
	f.SubtaskID, f.TaskDocumentID, f.ReminderID = nobody, nobody, nobody
	f.PromotionID, f.UsageID, f.NewUsageID, f.ChargeID, f.TierID = nobody, nobody, nobody, nobody, nobody
	return f
}

// refuse calls every operation in a way that the service refuses.
func (b *bench) refuse(t *testing.T) {
	for _, reason := range refusals() {
		t.Run(strconv.Itoa(reason.status)+" "+reason.name, func(t *testing.T) {
			b.each(t, func(t *testing.T, of endpoint, c calls, server *practicetest.Server) {
				if strings.Count(of.path, "{") < reason.ids || !strings.HasPrefix(of.path, reason.below) {
					return
				}
				firm := server.Firm()
				if reason.firm != nil {
					firm = reason.firm(firm)
				}
				options := []practice.ClientOption{practice.WithAccessToken(tokenFor(t, c.op, server))}
				if reason.options != nil {
					options = append(options, reason.options(server)...)
				}
				if reason.prepare != nil {
					reason.prepare(t, server)
				}
				status := cmp.Or(reason.but[of.id], reason.status)
				requireRefusal(t, c.minimal(t.Context(), b.client(t, server, options...), firm), status, of.says(status))
			}, reason.service...)
		})
	}
}

// refuseSense sends requests that only the service can recognise as invalid.
func (b *bench) refuseSense(t *testing.T) {
	for name, call := range map[string]send{
		"two reasons for no tax": func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
			return discard(c.Fees.Patch(ctx, f.MatterID, f.FeeID, models.FeePatch{TaxExempt: models.Some(true), TaxOutOfScope: models.Some(true)}))
		},
		"a contact that is related to itself": func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
			return discard(c.Contacts.UpdateRelation(ctx, f.ContactID, f.ContactID, models.RelationWrite{}))
		},
		"an event type that there is not": func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
			return discard(c.Webhooks.Update(ctx, f.WebhookID, models.WebhookSubscriptionWrite{
				Name: "Matters", EventTypes: []models.EventType{"matter.imagined"},
				EventNotificationURL: "https://hooks.example.test/in", Key: models.Null[models.Secret](),
			}))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := service(t)
			violations := server.Tolerate(func() {
				requireRefusal(t, call(t.Context(), b.client(t, server), server.Firm()), http.StatusBadRequest, true)
			})
			assert.Len(t, violations, 1, "a mistake, though the document cannot say so")
		})
	}
}

// requireRefusal checks for a refusal with a status, with or without reasons.
func requireRefusal(t *testing.T, err error, status int, reasons bool) {
	t.Helper()
	answer, ok := errors.AsType[*practice.Error](err)
	require.True(t, ok, "%v", err)
	assert.Equal(t, status, answer.StatusCode)
	assert.Equal(t, reasons, answer.Problem.Title != "", answer.Problem)
}
