package practice_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

func TestAFeeHasEveryFieldExactly(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f := server.Firm()
		all, err := practice.Collect(client.Fees.All(t.Context(), f.MatterID, practice.FeeListOptions{}))
		require.NoError(t, err)
		id := all[len(all)-1].ID // the fee with source items
		a, err := client.Fees.Get(t.Context(), f.MatterID, id)
		require.NoError(t, err)
		testkit.AssertSent(t, server, "GET", "/matters/"+f.MatterID+"/fees/"+id, "")
		testkit.AssertRecord(t, testkit.WireTree(t, testkit.WireText(t, client, "/matters/{matterId}/fees/{id}", f.MatterID, id)), map[string]any{
			"id": a.ID, "href": a.Href, "relation": a.Relation, "method": a.Method, "self": a.Self, "versionId": a.VersionID,
			"matter": a.Matter, "staff": a.Staff, "createdByUserId": a.CreatedByUserID, "createdDate": a.CreatedDate,
			"matterId": a.MatterID, "staffId": a.StaffID, //nolint:staticcheck // deprecated, but read as long as the service sends them
			"lastUpdatedByUserId": a.LastUpdatedByUserID, "invoiceId": a.InvoiceID, "activityCode": a.ActivityCode,
			"utbmsTaskCode": a.UTBMSTaskCode, "subject": a.Subject, "description": a.Description, "feeDate": a.FeeDate, "feeType": a.FeeType,
			"finalized": a.Finalized, "isInvoicedExternally": a.IsInvoicedExternally, "isWrittenOff": a.IsWrittenOff,
			"isBillable": a.IsBillable, "tax": a.Tax, "taxInclusive": a.TaxInclusive, "taxExempt": a.TaxExempt,
			"taxOutOfScope": a.TaxOutOfScope, "duration": a.Duration, "durationWorked": a.DurationWorked, "rate": a.Rate,
			"amount": a.Amount, "amountExcTax": a.AmountExcTax, "amountIncTax": a.AmountIncTax,
			"billableAmountExcTax": a.BillableAmountExcTax, "billableTax": a.BillableTax, "isDeleted": a.IsDeleted,
			"sourceItems": a.SourceItems, "createdFromActivityId": a.CreatedFromActivityID,
		})
		assert.Len(t, a.SourceItems, 2)
		assert.Equal(t, f.MatterID, a.Matter.TargetID())
	})
}

// workFor returns a fee of 90 minutes at 350.50 an hour.
func workFor(f practicetest.Firm) models.FeeWrite {
	return models.FeeWrite{
		Subject: "Advice", FeeDate: models.DateOf(testkit.SomeTime), StaffID: f.StaffID, FeeType: models.Some(models.FeeTypeTime),
		Duration: models.Some(90), Rate: models.MustDecimal("350.50"), Tax: models.MustDecimal("52.58"), IsBillable: models.Some(true),
	}
}

func TestAFeeIsCreatedReplacedAndDeleted(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f := server.Firm()
		get := func(id string) *models.Fee {
			t.Helper()
			server.Settle()
			found, err := client.Fees.Get(t.Context(), f.MatterID, id)
			require.NoError(t, err)
			return found
		}
		link, err := client.Fees.Create(t.Context(), f.MatterID, workFor(f))
		require.NoError(t, err)
		_, err = client.Fees.Get(t.Context(), f.MatterID, link.ID)
		require.ErrorIs(t, err, practice.ErrNotFound, "the write takes effect later")
		made := get(link.ID)
		assert.Equal(t, []string{"525.75", "578.33", "525.75"}, []string{made.AmountExcTax.String(), made.AmountIncTax.String(), made.BillableAmountExcTax.String()})

		mixed := workFor(f)
		mixed.SourceItems = []models.FeeSourceItemWrite{
			{Description: models.Some("Call"), Duration: models.Some(60), IsBillable: models.Some(true)},
			{Description: models.Some("On the way"), Duration: models.Some(30)},
		}
		require.NoError(t, testkit.Discard(client.Fees.Update(t.Context(), f.MatterID, link.ID, mixed)))
		replaced := get(link.ID)
		assert.Equal(t, "350.50", replaced.BillableAmountExcTax.String(), "an hour of one and a half")
		assert.NotEqual(t, made.VersionID, replaced.VersionID)

		require.NoError(t, testkit.Discard(client.Fees.Update(t.Context(), f.MatterID, link.ID, models.FeeWrite{Subject: "Note", FeeDate: models.DateOf(testkit.SomeTime)})))
		bare := get(link.ID)
		assert.Empty(t, bare.SourceItems, "a replacement clears what it leaves out")
		assert.False(t, bare.IsBillable.Or(true))
		assert.Equal(t, "0.00", bare.BillableAmountExcTax.String())

		require.NoError(t, testkit.Discard(client.Fees.Delete(t.Context(), f.MatterID, link.ID)))
		assert.True(t, get(link.ID).IsDeleted.Or(false))
	})
}

func TestAFeeWithoutAStaffMemberIsThatOfItsUser(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, _ *practice.Client) {
		f := server.Firm()
		client := testkit.ServerToServer(t, server)
		link, err := client.Fees.Create(t.Context(), f.MatterID, models.FeeWrite{Subject: "Advice", FeeDate: models.DateOf(testkit.SomeTime)}, practice.WithUserID(f.UserID))
		require.NoError(t, err)
		server.Settle()
		made, err := client.Fees.Get(t.Context(), f.MatterID, link.ID)
		require.NoError(t, err)
		assert.Equal(t, f.StaffID, made.Staff.TargetID())
		assert.Equal(t, f.UserID, made.CreatedByUserID)
	})
}

func TestAFeeWhoseAnswerWasLostIsFound(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f, since, fee := server.Firm(), server.Clock().Now(), workFor(server.Firm())
		fee.Description, fee.ActivityCode = "Entry 4711", "REV"
		server.Inject(practicetest.Fault{Operation: "createFee", Kind: practicetest.FaultResetAfter})
		_, err := client.Fees.Create(t.Context(), f.MatterID, fee)
		require.True(t, testkit.IsAmbiguous(err), "%v", err)
		server.Settle()
		found, err := client.Fees.FindCreated(t.Context(), f.MatterID, fee, since)
		require.NoError(t, err)
		require.Len(t, found, 1, "it was added, once")
		assert.Equal(t, "Entry 4711", found[0].Description)

		for member, other := range map[string]func(*models.FeeWrite){
			"subject":       func(w *models.FeeWrite) { w.Subject = "advice" },
			"day":           func(w *models.FeeWrite) { w.FeeDate = w.FeeDate.AddDays(1) },
			"staff member":  func(w *models.FeeWrite) { w.StaffID = f.StaffIDs[3] },
			"activity code": func(w *models.FeeWrite) { w.ActivityCode = "TEL" },
			"description":   func(w *models.FeeWrite) { w.Description = "Entry 4712" },
			"duration":      func(w *models.FeeWrite) { w.Duration = models.Some(91) },
			"rate":          func(w *models.FeeWrite) { w.Rate = models.MustDecimal("350.51") },
		} {
			unlike := fee
			other(&unlike)
			found, err := client.Fees.FindCreated(t.Context(), f.MatterID, unlike, since)
			require.NoError(t, err)
			assert.Empty(t, found, "another %s", member)
		}
		few := models.FeeWrite{Subject: fee.Subject, FeeDate: fee.FeeDate, StaffID: strings.ToUpper(f.StaffID), Rate: models.MustDecimal("350.500")}
		found, err = client.Fees.FindCreated(t.Context(), f.MatterID, few, since)
		require.NoError(t, err)
		assert.Len(t, found, 1, "a member that was not written may be anything")
		found, err = client.Fees.FindCreated(t.Context(), f.MatterID, fee, server.Clock().Now().Add(time.Hour))
		require.NoError(t, err)
		assert.Empty(t, found, "only what changed since")
	})
}

func TestAFeeThatCannotBeReadEndsTheSearch(t *testing.T) {
	t.Parallel()
	service := &testkit.Scripted{Pages: func(url.Values) string {
		return testkit.Page([]string{`{"id":"f1","subject":"Advice","rate":1e400}`, `{"id":"f2","subject":"Advice"}`})
	}}
	found, err := testkit.ScriptedClient(t, service).Fees.FindCreated(t.Context(), testkit.SomeID, models.FeeWrite{Subject: "Advice"}, testkit.SomeTime)
	require.Error(t, err, "it may be the one that is looked for")
	assert.Empty(t, found)
}

func TestFeesAreListedWithWhatHasChanged(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f := server.Firm()
		all, err := practice.Collect(client.Fees.All(t.Context(), f.MatterID, practice.FeeListOptions{ListOptions: practice.ListOptions{Limit: 1}}))
		require.NoError(t, err)
		assert.Greater(t, len(all), 2, "several pages")

		server.Clock().Advance(time.Second)
		since := server.Clock().Now()
		require.NoError(t, testkit.Discard(client.Fees.Delete(t.Context(), f.MatterID, all[1].ID)))
		server.Settle()
		page, err := client.Fees.List(t.Context(), f.MatterID, practice.FeeListOptions{UpdatedSince: since})
		require.NoError(t, err)
		require.Len(t, page.Items, 1)
		assert.Equal(t, all[1].ID, page.Items[0].ID)
		assert.True(t, page.Items[0].IsDeleted.Or(false), "deleted ones are listed")
		ticks, err := models.TicksOf(since)
		require.NoError(t, err)
		testkit.AssertSent(t, server, "GET", "/matters/"+f.MatterID+"/fees", "UpdatedSince="+strconv.FormatInt(int64(ticks), 10))
	})
}

func fee(t *testing.T, client *practice.Client, f practicetest.Firm) map[string]any {
	t.Helper()
	return testkit.WireTree(t, testkit.WireText(t, client, "/matters/{matterId}/fees/{id}", f.MatterID, f.FeeID)).(map[string]any)
}

func TestAWriteThatFailsLaterIsReportedWithItsRequestID(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f := server.Firm()
		subscription := testkit.SubscriptionOf(models.EventTypeError.Type(), models.EventTypeFeeUpdated.Type())
		subscription.EventNotificationURL = testkit.Inbox(t, server)
		require.NoError(t, testkit.Discard(client.Webhooks.Create(t.Context(), subscription)))
		before := fee(t, client, f)

		server.FailWrite("patchFee", "The fee is on a final invoice.")
		var response practice.Response
		patch := models.FeePatch{Subject: models.Some("Advice")}
		require.NoError(t, testkit.Discard(client.Fees.Patch(t.Context(), f.MatterID, f.FeeID, patch, practice.WithResponse(&response))))
		server.Settle()
		assert.Equal(t, before, fee(t, client, f))
		require.NoError(t, server.Flush(t.Context()))

		require.Len(t, server.Deliveries(), 1)
		delivery := server.Deliveries()[0]
		assert.Equal(t, "error", delivery.Type)
		assert.Equal(t, response.RequestID, delivery.RequestID, "which says whose write it was")
		var notification models.Notification
		require.NoError(t, json.Unmarshal(delivery.Body, &notification))
		var payload models.ErrorPayload
		require.NoError(t, notification.Payload.Decode(&payload))
		assert.Equal(t, "The fee is on a final invoice.", payload.Message)
		assert.Equal(t, f.FeeID, payload.ResourceID)
	})
}

func TestRefusalsOfFees(t *testing.T) {
	t.Parallel()
	patch := func(change func(*practicetest.Firm) models.FeePatch) func(context.Context, *practice.Client, practicetest.Firm) error {
		return func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
			body := change(&f)
			return testkit.Discard(c.Fees.Patch(ctx, f.MatterID, f.FeeID, body))
		}
	}
	testkit.AssertRefusals(t, "Fees.Patch",
		testkit.Refusal{
			Rule: "exempt and out of scope exclude each other", Want: practice.ErrBadRequest, Fields: []string{"taxOutOfScope: must not be combined with taxExempt"},
			Call: patch(func(*practicetest.Firm) models.FeePatch {
				return models.FeePatch{TaxExempt: models.Some(true), TaxOutOfScope: models.Some(true)}
			}),
		},
		testkit.Refusal{
			Rule: "a staff member of another firm", Want: practice.ErrBadRequest, Conflict: true,
			Fields: []string{"staffId: no such staff member"},
			Call: patch(func(f *practicetest.Firm) models.FeePatch {
				return models.FeePatch{StaffID: models.Some(f.OtherFirmStaffID)}
			}),
		},
	)
}

func TestSeveralFaultsOfOneBodyAreAllReported(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f := server.Firm()
		server.Tolerate(func() {
			err := client.Do(t.Context(), practice.Request{ // Fees.Patch itself would detect the first case
				Method: http.MethodPatch, Path: "/matters/{matterId}/fees/{id}", PathValues: []string{f.MatterID, f.FeeID},
				Body: map[string]any{"staffId": "nobody", "invoiceId": "42", "feeDate": nil},
			}, nil)
			require.ErrorIs(t, err, practice.ErrBadRequest)
			answer, ok := errors.AsType[*practice.Error](err)
			require.True(t, ok)
			var fields, codes []string
			for _, fault := range answer.Problem.Errors {
				fields, codes = append(fields, fault.Field), append(codes, fault.Code)
				assert.NotEmpty(t, fault.Message)
			}
			assert.ElementsMatch(t, []string{"staffId", "invoiceId", "feeDate"}, fields)
			assert.NotContains(t, codes, "")
			assert.True(t, strings.HasPrefix(string(answer.Problem.RawErrors), "["), "a list of errors")
		})
	})
}

// TestAChangeOfAFeeThatDoesNotExist checks both responses: the documented 404,
// and the 202 with an error event that the service sends since it queues
// changes of fees.
func TestAChangeOfAFeeThatDoesNotExist(t *testing.T) {
	t.Parallel()
	for name, ids := range map[string]func(practicetest.Firm) (matter, fee string){
		"an unknown fee":          func(f practicetest.Firm) (string, string) { return f.MatterID, testkit.UnknownID },
		"a fee of another matter": func(f practicetest.Firm) (string, string) { return f.MatterIDs[1], f.FeeID },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			queued, early := practicetest.New(t), practicetest.New(t, practicetest.WithEarlyNotFound(true))
			matter, fee := ids(queued.Firm())
			_, err := queued.Client(t).Fees.Patch(t.Context(), matter, fee, models.FeePatch{})
			require.NoError(t, err, "its failure is told by an error event")
			_, err = early.Client(t).Fees.Patch(t.Context(), matter, fee, models.FeePatch{})
			require.ErrorIs(t, err, practice.ErrNotFound)
		})
	}
}
