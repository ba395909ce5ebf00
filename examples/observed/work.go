package main

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/examples/internal/setup"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
	"github.com/practicesdk/practice-go/webhook"
)

// work makes the calls that are observed.
func (o *observed) work(ctx context.Context) error {
	o.Title("Practice, observed")
	o.Line("Reading from %s, signed in by %s.", o.BaseURL, o.SignIn)
	if server := o.Server(); server != nil {
		o.Note("It is an embedded service, in which things go wrong on demand.")
		server.Inject(
			practicetest.Fault{Operation: "listBankAccounts", Status: 503},
			practicetest.Fault{Operation: "listEvents", Kind: practicetest.FaultRateLimit, RetryAfter: "1"},
			practicetest.Fault{Operation: "patchFee", Status: 404},
			practicetest.Fault{Operation: "storage.get", Kind: practicetest.FaultTruncated},
			practicetest.Fault{Operation: "storage.put", Status: 503},
		)
	}
	if err := o.read(ctx); err != nil {
		return err
	}
	if !o.Embedded {
		return nil
	}
	if err := o.write(ctx); err != nil {
		return err
	}
	return o.receive(ctx)
}

func (o *observed) read(ctx context.Context) error {
	if _, err := o.Client.BankAccounts.List(ctx, practice.BankAccountListOptions{}); err != nil {
		return err
	}
	monday := time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)
	_, err := practice.Collect(o.Client.Events.All(ctx, practice.EventListOptions{From: monday, To: monday.AddDate(0, 0, 7)}))
	return err
}

func (o *observed) write(ctx context.Context) error {
	matterID := o.ID("MATTER_ID")
	_, err := o.Client.Fees.Patch(ctx, matterID, "00000000-0000-4000-8000-000000000000", models.FeePatch{Subject: models.Some("Advice")})
	if !errors.Is(err, practice.ErrNotFound) {
		return err
	}
	upload := practice.Upload{Name: "Memo.txt", Body: strings.NewReader(strings.Repeat("To the file. ", 1000))}
	file, err := o.Client.Documents.Upload(ctx, matterID, upload)
	if err != nil {
		return err
	}
	return setup.Await(ctx, func() error {
		_, err := o.Client.Documents.Download(ctx, matterID, file.ID, io.Discard, practice.DownloadOptions{})
		return err
	})
}

// receive delivers an event twice, and once as if it had been caught and sent
// again later.
func (o *observed) receive(ctx context.Context) error {
	const key = "an-example-of-a-key"
	seen, err := webhook.NewMemoryDeduplicator()
	if err != nil {
		return err
	}
	receiver, err := webhook.NewReceiver(o.ClientID, webhook.Keys(key), webhook.WithDeduplicator(seen))
	if err != nil {
		return err
	}
	webhook.On(receiver, models.EventTypeMatterUpdated, func(context.Context, *webhook.Event[models.MatterPayload]) error { return nil })
	if _, err := o.telemetry.WatchReceiver(receiver); err != nil {
		return err
	}
	signer, err := webhook.NewSigner(o.ClientID, key)
	if err != nil {
		return err
	}
	for _, age := range []time.Duration{0, 0, time.Hour} {
		body := strings.NewReader(`{"type":"matter.updated","payload":{"id":"` + o.ID("MATTER_ID") + `"}}`)
		delivery := httptest.NewRequestWithContext(ctx, http.MethodPost, "/hooks", body)
		if err := signer.Sign(delivery.Header, time.Now().Add(-age), "request-1"); err != nil {
			return err
		}
		receiver.ServeHTTP(httptest.NewRecorder(), delivery)
	}
	return receiver.Shutdown(ctx)
}
