package otel_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

// TestNoSecretAndNoIdentifierInTelemetry searches all exported data for secrets
// and ids.
func TestNoSecretAndNoIdentifierInTelemetry(t *testing.T) {
	t.Parallel()
	for _, fault := range []practicetest.Fault{
		{}, {Status: 400}, {Status: 401, Times: -1}, {Status: 500, Times: -1}, {Kind: practicetest.FaultResetAfter, Times: -1},
		{Kind: practicetest.FaultTruncated, Times: -1}, {Kind: practicetest.FaultHTML, Status: 200},
	} {
		for _, operation := range []string{"none", "*", "storage.put", "storage.get"} {
			t.Run(fmt.Sprintf("%s %v %d", operation, fault.Kind, fault.Status), func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					server, b := practicetest.New(t, practicetest.WithStrict(false)), newBench(t)
					fault := fault
					fault.Operation = operation
					if operation != "none" {
						server.Inject(fault)
					}
					client, ctx, firm := server.Client(t, practice.WithTracer(b)), t.Context(), server.Firm()
					// Only the telemetry matters, not the result.
					_, _ = client.Staff.Get(ctx, firm.StaffID)
					_, _ = client.Documents.Upload(ctx, firm.MatterID, practice.Upload{Name: "a.txt", Body: bytes.NewReader([]byte("x"))})
					_, _ = client.Documents.Download(ctx, firm.MatterID, firm.FileID, &bytes.Buffer{}, practice.DownloadOptions{})
					_, _ = client.Fees.Patch(ctx, firm.MatterID, firm.FeeID, models.FeePatch{Subject: models.Some("confidential")})

					spans := tracetest.SpanStubsFromReadOnlySpans(b.spans.Ended())
					require.NotEmpty(t, spans)
					require.Len(t, b.spans.Ended(), len(b.spans.Started()))
					exported := fmt.Sprintf("%+v", spans)
					for _, s := range spans {
						exported += fmt.Sprintf("%v %v %v", s.Attributes, s.Events, s.Status)
					}
					metrics, err := json.Marshal(b.metrics(t))
					require.NoError(t, err)
					exported += string(metrics)
					for _, m := range b.metrics(t) {
						exported += fmt.Sprintf("%+v", m)
					}
					c := server.Credentials()
					for _, secret := range []string{
						c.APIKey, c.ClientSecret, c.AccessToken, "Bearer", "Signature", "Expires=", "?", "confidential",
						firm.StaffID, firm.MatterID, firm.FileID, firm.FeeID,
					} {
						assert.NotContains(t, exported, secret)
					}
				})
			})
		}
	}
}
