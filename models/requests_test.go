package models_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/codec"
	"github.com/practicesdk/practice-go/models"
)

// TestInvalidRequestSamples checks that a body refuses values of the wrong
// type. The client checks the limits of values before it sends.
func TestInvalidRequestSamples(t *testing.T) {
	t.Parallel()
	const refused, repaired, limit = "refused", "repaired", "limit"
	for name, tt := range map[string]struct{ outcome, written string }{
		"createFile.date-only":            {outcome: refused},
		"createFile.no-name":              {outcome: limit, written: `{"fileName":"","folderId":"632ed7c7-ef4f-5faf-8178-9f9febc0a4a9"}`},
		"createFolder.empty":              {outcome: limit, written: `{"name":""}`},
		"createFolder.no-name":            {outcome: limit, written: `{"name":"","parentFolderId":"632ed7c7-ef4f-5faf-8178-9f9febc0a4a9"}`},
		"createFolder.too-long":           {outcome: limit, written: `{"name":"` + strings.Repeat("n", 257) + `"}`},
		"createWebhook.no-url":            {outcome: limit, written: `{"name":"Matters","eventTypes":["matter.created"],"eventNotificationUrl":""}`},
		"createWebhook.types-text":        {outcome: refused},
		"patchFee.date-time":              {outcome: repaired, written: `{"feeDate":"2026-07-01"}`},
		"patchFee.duration-text":          {outcome: refused},
		"patchFee.empty-subject":          {outcome: limit, written: `{"subject":""}`},
		"patchFee.fee-type-2":             {outcome: limit, written: `{"feeType":2}`},
		"patchFee.null-subject":           {outcome: limit, written: `{"subject":null}`},
		"sendPortalMessage.empty-message": {outcome: limit, written: `{"message":"","contactId":"13eecfca-5699-5001-9310-bf202aba8df9","requireMFA":false}`},
		"sendPortalMessage.no-message":    {outcome: limit, written: `{"message":"","contactId":"13eecfca-5699-5001-9310-bf202aba8df9","requireMFA":false}`},
		"updateContactRelation.not-uuid":  {outcome: limit, written: `{"relatedContactId":"MyFirm","businessRole":"x"}`},
	} {
		t.Run(name+" is "+tt.outcome, func(t *testing.T) {
			t.Parallel()
			kind, _, _ := strings.Cut(name, ".")
			body := sampleTypes()["requests/"+kind]
			err := codec.Unmarshal(readSample(t, "requests-invalid/"+name+".json"), body, models.Wire)
			if tt.outcome == refused {
				require.Error(t, err)
				return
			}
			require.NoError(t, err)
			written, err := codec.AppendRequest(nil, body, models.Wire)
			require.NoError(t, err)
			assert.JSONEq(t, tt.written, string(written))
		})
	}
}

func TestBodiesSendWhatWasSetAndNothingElse(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		body record
		want string
	}{
		"a duration alone, no date of year 1": {
			body: &models.FeePatch{Duration: models.Some(0)}, want: `{"duration":0}`,
		},
		"null and false are sent": {
			body: &models.FeePatch{Tax: models.Null[models.Decimal](), IsBillable: models.Some(false)},
			want: `{"tax":null,"isBillable":false}`,
		},
		"an empty list is sent": {
			body: &models.FeePatch{SourceItems: models.Some([]models.FeeSourceItemWrite{})}, want: `{"sourceItems":[]}`,
		},
		"an amount keeps its digits": {
			body: &models.FeePatch{Rate: models.Some(models.MustDecimal("350.50"))}, want: `{"rate":350.50}`,
		},
		"an empty patch": {body: &models.FeePatch{}, want: `{}`},
		"a folder in the root": {
			body: &models.FolderWrite{Name: "Letters"}, want: `{"name":"Letters"}`,
		},
		"a folder is restored": {
			body: &models.FolderPatch{IsDeleted: models.Some(false)}, want: `{"isDeleted":false}`,
		},
		"a file dated by the service": {
			body: &models.FileCreate{FileName: "a.txt"}, want: `{"fileName":"a.txt"}`,
		},
		"a message that needs no second factor": {
			body: &models.PortalMessage{Message: "x", ContactID: "c"}, want: `{"message":"x","contactId":"c","requireMFA":false}`,
		},
		"a key is sent, not redacted": {
			body: &models.WebhookSubscriptionWrite{
				Name: "n", EventTypes: []models.EventType{models.EventTypeError.Type()},
				EventNotificationURL: "https://hooks.example.test/in", Key: models.Some(models.NewSecret("k-1")),
			},
			want: `{"name":"n","eventTypes":["error"],"eventNotificationUrl":"https://hooks.example.test/in","key":"k-1"}`,
		},
		"a key is left out": {
			body: &models.WebhookSubscriptionWrite{Name: "n", EventTypes: []models.EventType{"a.b"}, EventNotificationURL: "u"},
			want: `{"name":"n","eventTypes":["a.b"],"eventNotificationUrl":"u"}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := codec.AppendRequest(nil, tt.body, models.Wire)
			require.NoError(t, err)
			assert.Equal(t, tt.want, string(got))
		})
	}
}

// TestBodiesDoNotShowTheirKey checks that a body with a key can be logged: only
// the encoder for requests reveals the key.
func TestBodiesDoNotShowTheirKey(t *testing.T) {
	t.Parallel()
	body := models.WebhookSubscriptionWrite{Name: "n", Key: models.Some(models.NewSecret("k-1"))}
	encoded, err := json.Marshal(body)
	require.NoError(t, err)
	for _, text := range []string{
		string(encoded), fmt.Sprintf("%v", body), fmt.Sprintf("%+v", &body), fmt.Sprintf("%#v", body), fmt.Sprintf("%v", body.Key),
	} {
		assert.NotContains(t, text, "k-1")
	}
}
