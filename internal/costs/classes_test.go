//go:build linux && amd64 && !race

package costs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/codec"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/webhook"
)

// class is something whose costs are kept.
type class struct {
	name string
	run  func() error
}

func everyClass(t *testing.T) []class {
	t.Helper()
	return slices.Concat(calls(t), transfers(t), records(t), deliveries(t))
}

func calls(t *testing.T) []class {
	c, ctx, id := newClient(t), t.Context(), testkit.SomeID
	fee := models.FeeWrite{FeeDate: models.DateOf(testkit.SomeTime), StaffID: testkit.SomeID, Subject: "Advice", Duration: models.Some(30)}
	return []class{
		{"a read", func() error { return testkit.Discard(c.Staff.Get(ctx, id)) }},
		{"a create", func() error {
			return testkit.Discard(c.ActivityCodes.Create(ctx, models.ActivityCodeWrite{Code: "ADV"}))
		}},
		{"a replacement", func() error { return testkit.Discard(c.Fees.Update(ctx, id, id, fee)) }},
		{"a patch", func() error {
			return testkit.Discard(c.Fees.Patch(ctx, id, id, models.FeePatch{Subject: models.Some("Advice")}))
		}},
		{"a deletion", func() error { return testkit.Discard(c.Fees.Delete(ctx, id, id)) }},
		{"Do", func() error {
			var out models.StaffMember
			return c.Do(ctx, practice.Request{Method: http.MethodGet, Path: "/staff/{id}", PathValues: []string{id}}, &out)
		}},
		{"Call", func() error {
			var out models.StaffMember
			return c.Call(ctx, "getStaff", map[string]any{"id": id}, nil, &out)
		}},
		{"a page of 500", func() error {
			page, err := c.Events.List(ctx, practice.EventListOptions{ListOptions: practice.ListOptions{Limit: pageSize}})
			if err == nil && len(page.Items) != pageSize {
				return fmt.Errorf("%d records", len(page.Items))
			}
			return err
		}},
		{"500 records by All", func() error {
			seen := 0
			for _, err := range c.Events.All(ctx, practice.EventListOptions{ListOptions: practice.ListOptions{Limit: pageSize}}) {
				if err != nil {
					return err
				}
				seen++
			}
			if seen != pageSize {
				return fmt.Errorf("%d records", seen)
			}
			return nil
		}},
	}
}

func transfers(t *testing.T) []class {
	c, ctx := newClient(t), t.Context()
	content := bytes.Repeat([]byte("x"), fileSize)
	return []class{
		{"an upload of 1 MiB", func() error {
			return testkit.Discard(c.Documents.Upload(ctx, testkit.SomeID, practice.Upload{Name: "a.txt", Body: bytes.NewReader(content)}))
		}},
		{"a download of 1 MiB", func() error {
			return testkit.Discard(c.Documents.Download(ctx, testkit.SomeID, testkit.SomeID, io.Discard, practice.DownloadOptions{}))
		}},
	}
}

// records reads and writes the sample of each of ten records.
func records(t *testing.T) []class {
	return slices.Concat(
		readAndWritten[models.ActivityCode](t, sample(t, "getActivityCode.full")),
		readAndWritten[models.BankAccount](t, sample(t, "getBankAccount.full")),
		readAndWritten[models.CalendarEvent](t, sample(t, "getEvent.full")),
		readAndWritten[models.Contact](t, sample(t, "getContact.full")),
		readAndWritten[models.Fee](t, sample(t, "getFee.full")),
		readAndWritten[models.File](t, sample(t, "getFile.full")),
		readAndWritten[models.Invoice](t, sample(t, "getInvoice.full")),
		readAndWritten[models.Matter](t, sample(t, "getMatter.full")),
		readAndWritten[models.StaffMember](t, firstOf(t, sample(t, "listStaff.full"))),
		readAndWritten[models.Task](t, sample(t, "getTask.full")),
	)
}

func readAndWritten[T any](t *testing.T, text []byte) []class {
	t.Helper()
	record := new(T)
	_, err := codec.Decode(text, record, models.Wire)
	require.NoError(t, err)
	kind := strings.TrimPrefix(fmt.Sprintf("%T", *record), "models.")
	return []class{
		{kind + " read", func() error {
			_, err := codec.Decode(text, new(T), models.Wire)
			return err
		}},
		{kind + " written", func() error { return testkit.Discard(codec.AppendRequest(nil, record, models.Wire)) }},
	}
}

const payload = `{"accountId":"13277179-1410-5c32-a80e-a2b9c71c5d83","subscriptionId":"be8f4b3e-ce49-5aa3-bbe1-d77df416ee57",` +
	`"type":"matter.updated","source":"API","timestamp":637981232724209300,` +
	`"payload":{"id":"5ded8b07-ce44-5b3c-baa1-6a9801e6c7f4","number":"10001","title":"Example | Sale","status":"Open"}}`

func deliveries(t *testing.T) []class {
	at := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	clock := webhook.WithClock(func() time.Time { return at })
	verifier, err := webhook.NewVerifier("client", webhook.Keys("key"), clock)
	require.NoError(t, err)
	receiver, err := webhook.NewReceiver("client", webhook.Keys("key"), clock)
	require.NoError(t, err)
	webhook.On(receiver, models.EventTypeMatterUpdated, func(context.Context, *webhook.Event[models.MatterPayload]) error { return nil })
	t.Cleanup(func() { require.NoError(t, receiver.Shutdown(context.WithoutCancel(t.Context()))) })
	signer, err := webhook.NewSigner("client", "key")
	require.NoError(t, err)
	signed := http.Header{"Content-Type": {"application/json"}}
	require.NoError(t, signer.Sign(signed, at, testkit.SomeID))
	return []class{
		{"a delivery verified", func() error { return testkit.Discard(verifier.Verify(signed)) }},
		{"a delivery handled", func() error {
			req := httptest.NewRequest(http.MethodPost, "/hooks", strings.NewReader(payload))
			req.Header = signed
			answer := httptest.NewRecorder()
			receiver.ServeHTTP(answer, req)
			if answer.Code >= http.StatusMultipleChoices {
				return errors.New(answer.Body.String())
			}
			return nil
		}},
	}
}
