package main

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/practicesdk/practice-go/benchmarks/internal/measure"
	"github.com/practicesdk/practice-go/benchmarks/internal/peers/plain"
	"github.com/practicesdk/practice-go/benchmarks/internal/report"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/webhook"
)

const (
	hookClient = "integration"
	hookKey    = "hook key"
	hookBatch  = 400 // deliveries of one run
	hookHands  = 8   // that are sent at the same time
)

// notification is what the service sends when a matter has changed.
const notification = `{"accountId":"13277179-1410-5c32-a80e-a2b9c71c5d83","userId":"f7d24f0d-b129-559d-9e55-ab2c40559ef8",` +
	`"subscriptionId":"be8f4b3e-ce49-5aa3-bbe1-d77df416ee57","type":"matter.updated","source":"API","timestamp":637981232724209300,` +
	`"payload":{"id":"5ded8b07-ce44-5b3c-baa1-6a9801e6c7f4","externalSystemId":null,"number":"10001","title":"Example | Sale",` +
	`"matterType":{"id":"bf146390-27ac-5f58-a884-050302295767_IL","rel":"MatterTypes"},` +
	`"clients":[{"id":"13eecfca-5699-5001-9310-bf202aba8df9","rel":"Contacts"}],"description":"Sale","status":"Open"}}`

// receiveWebhooks takes deliveries: verified, decoded and handed to a typed
// handler here, against handlers written by hand.
func receiveWebhooks(r run) (report.Table, error) {
	header, err := signedHeader()
	if err != nil {
		return report.Table{}, err
	}
	receiver, err := webhook.NewReceiver(hookClient, webhook.Keys(hookKey))
	if err != nil {
		return report.Table{}, err
	}
	webhook.On(receiver, models.EventTypeMatterUpdated, func(context.Context, *webhook.Event[models.MatterPayload]) error { return nil })
	contestants := []measure.Contestant{
		deliveries(ours, receiver, header),
		deliveries("HMAC alone", handleBare(func([]byte) error { return nil }), header),
		deliveries("HMAC, encoding/json", handleBare(func(body []byte) error {
			var event plainNotification
			return json.Unmarshal(body, &event)
		}), header),
	}
	results, err := measure.Compare(r.plan(25, 50*time.Millisecond), contestants...)
	if err != nil {
		return report.Table{}, err
	}
	rows := make([][]string, len(results))
	for i, result := range results {
		time := result.Time()
		rows[i] = []string{
			result.Name, report.Duration(time.Median / hookBatch), report.Duration(time.Low/hookBatch) + " – " + report.Duration(time.High/hookBatch),
			report.Ratio(results[0].Faster(result)), report.Number(result.Allocs() / hookBatch), report.Number(result.Bytes() / hookBatch / 1024),
		}
	}
	return report.Table{
		Title: "A webhook delivery",
		Intro: fmt.Sprintf("%d bytes, %d deliveries at the same time, in memory. Ours verifies, decodes, checks the age, bounds time and body and recovers from panics; "+
			"the others verify the same signature, and decode or not.", len(notification), hookHands),
		Header: []string{"", "median", "quartiles", "times ours", "allocs", "KiB"},
		Rows:   rows,
	}, nil
}

func signedHeader() (http.Header, error) {
	signer, err := webhook.NewSigner(hookClient, hookKey)
	if err != nil {
		return nil, err
	}
	header := http.Header{"Content-Type": {"application/json"}}
	return header, signer.Sign(header, time.Now(), "0d2a9a4c-5d0a-5c65-9f43-3a2f7c2b6d11")
}

// deliveries gives a handler a batch of deliveries, several at a time.
func deliveries(name string, handler http.Handler, header http.Header) measure.Contestant {
	return measure.Contestant{Name: name, Run: func() error {
		var hands sync.WaitGroup
		statuses := make([]int, hookHands)
		for hand := range hookHands {
			hands.Go(func() {
				for range hookBatch / hookHands {
					statuses[hand] = deliver(handler, header)
				}
			})
		}
		hands.Wait()
		for _, status := range statuses {
			if status != http.StatusOK {
				return fmt.Errorf("%s: %w", name, statusError(status))
			}
		}
		return nil
	}}
}

func deliver(handler http.Handler, header http.Header) int {
	req, err := http.NewRequestWithContext(context.Background(), http.MethodPost, "/hooks", bytes.NewReader([]byte(notification)))
	if err != nil {
		return 0
	}
	req.Header = header
	w := statusWriter{header: http.Header{}, status: http.StatusOK}
	handler.ServeHTTP(&w, req)
	return w.status
}

// statusWriter keeps nothing but the status.
type statusWriter struct {
	header http.Header
	status int
}

func (w *statusWriter) Header() http.Header         { return w.header }
func (w *statusWriter) Write(p []byte) (int, error) { return len(p), nil }
func (w *statusWriter) WriteHeader(status int)      { w.status = status }

// plainNotification is the notification in types of encoding/json.
type plainNotification struct {
	AccountID      string `json:"accountId"`
	UserID         string `json:"userId"`
	SubscriptionID string `json:"subscriptionId"`
	Type           string `json:"type"`
	Source         string `json:"source"`
	Timestamp      int64  `json:"timestamp"`
	Payload        struct {
		ID               string       `json:"id"`
		ExternalSystemID *string      `json:"externalSystemId"`
		Number           string       `json:"number"`
		Title            string       `json:"title"`
		MatterType       *plain.Link  `json:"matterType"`
		Clients          []plain.Link `json:"clients"`
		Description      string       `json:"description"`
		Status           string       `json:"status"`
	} `json:"payload"`
}

// handleBare is a handler written by hand.
func handleBare(decode func([]byte) error) http.HandlerFunc {
	return func(w http.ResponseWriter, req *http.Request) {
		mac := hmac.New(sha256.New, []byte(hookKey))
		_, _ = io.WriteString(mac, req.Header.Get(webhook.HeaderTimestamp)+"|"+req.Header.Get(webhook.HeaderRequestID)+"|"+hookClient) // a hash cannot fail
		signature, err := hex.DecodeString(req.Header.Get(webhook.HeaderSignature))
		if err != nil || !hmac.Equal(signature, mac.Sum(nil)) {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		body, err := io.ReadAll(req.Body)
		if err == nil {
			err = decode(body)
		}
		if err != nil {
			w.WriteHeader(http.StatusBadRequest)
		}
	}
}
