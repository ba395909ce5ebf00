package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/practicesdk/practice-go/benchmarks/internal/measure"
	"github.com/practicesdk/practice-go/benchmarks/internal/report"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/webhook"
)

const (
	hookClient = "integration"
	hookKey    = "hook key"
	hookBatch  = 400 // number of deliveries in one run
	hookHands  = 8   // number of deliveries sent at the same time
)

// changingPart is the part of the payload's id that distinguishes the events.
const changingPart = "5ded8b07"

// notification is a notification about a changed matter.
const notification = `{"accountId":"13277179-1410-5c32-a80e-a2b9c71c5d83","userId":"f7d24f0d-b129-559d-9e55-ab2c40559ef8",` +
	`"subscriptionId":"be8f4b3e-ce49-5aa3-bbe1-d77df416ee57","type":"matter.updated","source":"API","timestamp":637981232724209300,` +
	`"payload":{"id":"5ded8b07-ce44-5b3c-baa1-6a9801e6c7f4","externalSystemId":null,"number":"10001","title":"Example | Sale",` +
	`"matterType":{"id":"bf146390-27ac-5f58-a884-050302295767_IL","rel":"MatterTypes"},` +
	`"clients":[{"id":"13eecfca-5699-5001-9310-bf202aba8df9","rel":"Contacts"}],"description":"Sale","status":"Open"}}`

// receiveWebhooks measures deliveries over loopback. The receiver of this
// library verifies, decodes and calls a typed handler, without stores and with
// all of them; the other is a handwritten handler.
func receiveWebhooks(r run) (report.Table, error) {
	receiver, err := newReceiver()
	if err != nil {
		return report.Table{}, err
	}
	known, err := receiverWithStores()
	if err != nil {
		return report.Table{}, err
	}
	handlers := []struct {
		name    string
		handler http.Handler
	}{
		{ours, receiver},
		{"HMAC alone", http.HandlerFunc(handleBare)},
		{ours + ", with stores and a tracker", known},
	}
	contestants := make([]measure.Contestant, len(handlers))
	for i, h := range handlers {
		s, err := newSender(h.handler)
		if err != nil {
			return report.Table{}, err
		}
		defer s.close()
		contestants[i] = measure.Contestant{Name: h.name, Run: s.send}
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
		Intro: fmt.Sprintf("%d bytes over loopback, %d deliveries at the same time, each another event. Ours verifies, decodes, checks the age, "+
			"bounds time and body and recovers from panics; the other verifies the same signature. Stores in memory "+
			"drop duplicates, know the order, and track writes.", len(notification), hookHands),
		Header: []string{"", "median", "quartiles", "times ours", "allocs", "KiB"},
		Rows:   rows,
		Figures: []report.Figure{
			report.AtMost("of HMAC alone", 1.3, 1/results[0].Faster(results[1]).Median, " times"),
			report.AtMost("with stores and a tracker, of HMAC alone", 2, 1/results[2].Faster(results[1]).Median, " times"),
		},
	}, nil
}

func newReceiver(options ...webhook.Option) (*webhook.Receiver, error) {
	receiver, err := webhook.NewReceiver(hookClient, webhook.Keys(hookKey), options...)
	if err != nil {
		return nil, err
	}
	webhook.On(receiver, models.EventTypeMatterUpdated, func(context.Context, *webhook.Event[models.MatterPayload]) error { return nil })
	return receiver, nil
}

// receiverWithStores returns a receiver with every store, in memory.
func receiverWithStores() (*webhook.Receiver, error) {
	store, err := webhook.NewMemoryStore()
	if err != nil {
		return nil, err
	}
	tracker, err := webhook.NewTracker(store)
	if err != nil {
		return nil, err
	}
	return newReceiver(webhook.WithDeduplicator(store), webhook.WithTracker(tracker))
}

// sender delivers events to a handler over a few connections. It does as little
// work as possible, since the test measures the receiver.
type sender struct {
	server *httptest.Server
	hands  []*hand
	sent   atomic.Int64
	before []byte // bytes of a delivery before the changing part
	after  []byte
}

// hand is one connection of a sender.
type hand struct {
	conn net.Conn
	in   *bufio.Reader
	out  []byte
}

func newSender(handler http.Handler) (*sender, error) {
	header, err := signedHeader()
	if err != nil {
		return nil, err
	}
	s := &sender{server: httptest.NewServer(handler)}
	var text bytes.Buffer
	fmt.Fprintf(&text, "POST /hooks HTTP/1.1\r\nHost: hooks.example.test\r\nContent-Length: %d\r\n", len(notification))
	if err := header.Write(&text); err != nil {
		return nil, err
	}
	text.WriteString("\r\n" + notification)
	s.before, s.after, _ = bytes.Cut(text.Bytes(), []byte(changingPart))
	for range hookHands {
		conn, err := net.Dial("tcp", s.server.Listener.Addr().String())
		if err != nil {
			s.close()
			return nil, err
		}
		s.hands = append(s.hands, &hand{conn: conn, in: bufio.NewReader(conn)})
	}
	return s, nil
}

func (s *sender) close() {
	for _, h := range s.hands {
		_ = h.conn.Close()
	}
	s.server.Close()
}

// send delivers a batch over all connections concurrently.
func (s *sender) send() error {
	var hands errgroup.Group
	for _, h := range s.hands {
		hands.Go(func() error {
			for range hookBatch / hookHands {
				if err := s.deliver(h); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return hands.Wait()
}

func (s *sender) deliver(h *hand) error {
	h.out = fmt.Appendf(append(h.out[:0], s.before...), "%08x", s.sent.Add(1))
	h.out = append(h.out, s.after...)
	if _, err := h.conn.Write(h.out); err != nil {
		return err
	}
	resp, err := http.ReadResponse(h.in, nil)
	if err != nil {
		return err
	}
	defer func() { _ = resp.Body.Close() }() // the body has been read to its end
	if _, err := io.Copy(io.Discard, resp.Body); err != nil {
		return err
	}
	if resp.StatusCode != http.StatusOK {
		return statusError(resp.StatusCode)
	}
	return nil
}

func signedHeader() (http.Header, error) {
	signer, err := webhook.NewSigner(hookClient, hookKey)
	if err != nil {
		return nil, err
	}
	header := http.Header{"Content-Type": {"application/json"}}
	return header, signer.Sign(header, time.Now(), "0d2a9a4c-5d0a-5c65-9f43-3a2f7c2b6d11")
}

// handleBare is a webhook handler written without the library. It only verifies
// the signature.
func handleBare(w http.ResponseWriter, req *http.Request) {
	mac := hmac.New(sha256.New, []byte(hookKey))
	_, _ = io.WriteString(mac, req.Header.Get(webhook.HeaderTimestamp)+"|"+req.Header.Get(webhook.HeaderRequestID)+"|"+hookClient) // writing to a hash cannot fail
	signature, err := hex.DecodeString(req.Header.Get(webhook.HeaderSignature))
	if err != nil || !hmac.Equal(signature, mac.Sum(nil)) {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	if _, err := io.ReadAll(req.Body); err != nil {
		w.WriteHeader(http.StatusBadRequest)
	}
}
