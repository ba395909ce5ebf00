package acceptance_test

import (
	"encoding/json"
	"reflect"
	"slices"
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

// wholeFeePatch returns a patch that sets every member of a fee.
func wholeFeePatch(f practicetest.Firm) models.FeePatch {
	return models.FeePatch{
		FeeDate:              models.Some(models.DateOf(time.Date(2026, 2, 3, 23, 59, 0, 0, time.FixedZone("", 11*3600)))),
		Subject:              models.Some("Advice & <drafting> “§ 12”"),
		UpdatedByUserID:      models.Some(f.UserID),
		StaffID:              models.Some(f.StaffID),
		InvoiceID:            models.Some(f.InvoiceID),
		ActivityCode:         models.Some("A101"),
		FeeType:              models.Some(models.FeeTypeTime),
		Description:          models.Some("line one\nline two"),
		Duration:             models.Some(90),
		DurationWorked:       models.Some(95),
		Rate:                 models.Some(models.MustDecimal("250.50")),
		Tax:                  models.Some(models.MustDecimal("1.10")),
		TaxInclusive:         models.Some(true),
		TaxExempt:            models.Some(false),
		TaxOutOfScope:        models.Some(false),
		Finalized:            models.Some(false),
		IsWrittenOff:         models.Some(false),
		IsBillable:           models.Some(true),
		IsInvoicedExternally: models.Some(false),
		SourceItems: models.Some([]models.FeeSourceItemWrite{
			{Description: models.Some("Call"), Duration: models.Some(0), IsBillable: models.Some(false)},
			{Description: models.Null[string]()},
			{},
		}),
		CreatedFromActivityID: models.Some(testkit.UnknownID),
	}
}

func TestAFeePatchSendsWhatIsSetAndNothingElse(t *testing.T) {
	t.Parallel()
	date := func(year, month, day int) models.Opt[models.Date] {
		d, err := models.NewDate(year, time.Month(month), day)
		require.NoError(t, err)
		return models.Some(d)
	}
	money := func(text string) models.Opt[models.Decimal] { return models.Some(models.MustDecimal(text)) }
	for _, test := range []struct {
		name  string
		patch func(practicetest.Firm) models.FeePatch
		body  string // S, U, V and I are replaced by ids
	}{
		{"nothing", func(practicetest.Firm) models.FeePatch { return models.FeePatch{} }, `{}`},
		{
			"one text", func(practicetest.Firm) models.FeePatch { return models.FeePatch{Subject: models.Some("Advice")} },
			`{"subject":"Advice"}`,
		},
		{
			"a duration without a date", func(practicetest.Firm) models.FeePatch { return models.FeePatch{Duration: models.Some(12)} },
			`{"duration":12}`,
		},
		{
			"a date is a day", func(practicetest.Firm) models.FeePatch { return models.FeePatch{FeeDate: date(2026, 1, 9)} },
			`{"feeDate":"2026-01-09"}`,
		},
		{
			"zero is sent", func(practicetest.Firm) models.FeePatch {
				return models.FeePatch{
					FeeType: models.Some(models.FeeTypeFixed), Duration: models.Some(0), DurationWorked: models.Some(0),
					Rate: money("0"), Tax: money("0.00"), IsBillable: models.Some(false), Description: models.Some(""),
					SourceItems: models.Some([]models.FeeSourceItemWrite{}),
				}
			},
			`{"feeType":0,"description":"","duration":0,"durationWorked":0,"rate":0,"tax":0.00,"isBillable":false,"sourceItems":[]}`,
		},
		{
			"null is sent", func(practicetest.Firm) models.FeePatch {
				return models.FeePatch{
					InvoiceID: models.Null[string](), Description: models.Null[string](), DurationWorked: models.Null[int](),
					Tax: models.Null[models.Decimal](), SourceItems: models.Null[[]models.FeeSourceItemWrite](),
				}
			},
			`{"invoiceId":null,"description":null,"durationWorked":null,"tax":null,"sourceItems":null}`,
		},
		{
			"money keeps its digits", func(practicetest.Firm) models.FeePatch {
				return models.FeePatch{Rate: money("1.10"), Tax: money("90071992547409.93")}
			},
			`{"rate":1.10,"tax":90071992547409.93}`,
		},
		{
			"everything", wholeFeePatch,
			`{"feeDate":"2026-02-03","subject":"Advice & <drafting> “§ 12”","updatedByUserId":"U","staffId":"S","invoiceId":"V",` +
				`"activityCode":"A101","feeType":1,"description":"line one\nline two","duration":90,"durationWorked":95,` +
				`"rate":250.50,"tax":1.10,"taxInclusive":true,"taxExempt":false,"taxOutOfScope":false,"finalized":false,` +
				`"isWrittenOff":false,"isBillable":true,"isInvoicedExternally":false,` +
				`"sourceItems":[{"description":"Call","duration":0,"isBillable":false},{"description":null},{}],"createdFromActivityId":"I"}`,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
				f := server.Firm()
				if strings.Contains(test.body, `"U"`) {
					client = testkit.ServerToServer(t, server) // client credentials, which alone may act for a user
				}
				link, err := client.Fees.Patch(t.Context(), f.MatterID, f.FeeID, test.patch(f))
				require.NoError(t, err)
				testkit.AssertSent(t, server, "PATCH", "/matters/"+f.MatterID+"/fees/"+f.FeeID, "")
				want := strings.NewReplacer(`"S"`, `"`+f.StaffID+`"`, `"U"`, `"`+f.UserID+`"`, `"V"`, `"`+f.InvoiceID+`"`, `"I"`, `"`+testkit.UnknownID+`"`).Replace(test.body)
				assert.Equal(t, want, string(testkit.LastSent(t, server).Body))
				assert.Equal(t, "application/json-patch+json", testkit.LastSent(t, server).Header.Get("Content-Type"))
				assert.Equal(t, 202, testkit.LastSent(t, server).Status)
				assert.Equal(t, f.FeeID, link.TargetID())
			})
		})
	}
}

func TestTheWholeFeePatchIsWhole(t *testing.T) {
	t.Parallel()
	patch := reflect.ValueOf(wholeFeePatch(practicetest.Firm{}))
	for i := range patch.NumField() {
		assert.False(t, patch.Field(i).IsZero(), "%s is not tested", patch.Type().Field(i).Name)
	}
}

func TestAFeePatchTakesEffectLaterAndLeavesTheRest(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f := server.Firm()
		fee := func() map[string]any {
			return testkit.WireTree(t, testkit.WireText(t, client, "/matters/{matterId}/fees/{id}", f.MatterID, f.FeeID)).(map[string]any)
		}
		before := fee()
		link, err := client.Fees.Patch(t.Context(), f.MatterID, f.FeeID, models.FeePatch{
			FeeDate: models.Some(models.DateOf(testkit.SomeTime)), FeeType: models.Some(models.FeeTypeFixed),
			Rate: models.Some(models.MustDecimal("1234.10")), Tax: models.Some(models.MustDecimal("0.10")), TaxInclusive: models.Some(false),
			TaxExempt: models.Some(false), TaxOutOfScope: models.Some(false),
		})
		require.NoError(t, err)
		assert.Equal(t, before, fee(), "the write is only queued")

		server.Settle()
		var after map[string]any
		var raw []byte
		require.NoError(t, client.Follow(t.Context(), *link, &raw), "the link leads to the fee")
		after = testkit.WireTree(t, raw).(map[string]any)
		changed := map[string]any{
			"feeDate": "2026-03-01", "feeType": json.Number("0"), "rate": json.Number("1234.10"), "tax": json.Number("0.10"),
			"taxInclusive": false, "taxExempt": false, "taxOutOfScope": false,
			"amount": json.Number("1234.10"), "amountExcTax": json.Number("1234.10"), "amountIncTax": json.Number("1234.20"),
		}
		computed := []string{"versionId", "lastUpdatedByUserId", "billableAmountExcTax", "billableTax", "lastUpdated"}
		for name, want := range changed {
			assert.Equal(t, want, after[name], name)
		}
		for name, value := range before {
			if _, ok := changed[name]; !ok && !slices.Contains(computed, name) {
				assert.Equal(t, value, after[name], "%s stays as it was", name)
			}
		}
		assert.NotEqual(t, before["versionId"], after["versionId"])
	})
}
