package webhook_test

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/webhook"
)

// bare is the baseline of the receiver's benchmark: it reads the body and
// checks the HMAC.
func bare(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	mac := hmac.New(sha256.New, []byte(key))
	mac.Write([]byte(r.Header.Get("Timestamp") + "|" + r.Header.Get("RequestId") + "|" + clientID))
	if err != nil || len(body) == 0 || !hmac.Equal([]byte(hex.EncodeToString(mac.Sum(nil))), []byte(r.Header.Get("Signature"))) {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	w.WriteHeader(http.StatusOK)
}

func benchmarkHandlers(b *testing.B) map[string]http.Handler {
	alone := newReceiver(b)
	known := newReceiver(b, webhook.WithDeduplicator(newDeduplicator(b)), webhook.WithTracker(newTracker(b, nil)))
	for _, receiver := range []*webhook.Receiver{alone, known} {
		webhook.On(receiver, models.EventTypeMatterUpdated, func(context.Context, *matterEvent) error { return nil })
	}
	return map[string]http.Handler{"bare": http.HandlerFunc(bare), "receiver": alone, "receiver with stores": known}
}

func BenchmarkHandler(b *testing.B) {
	for name, handler := range benchmarkHandlers(b) {
		b.Run(name, func(b *testing.B) {
			before, after, _ := bytes.Cut(sample(b, "matter-updated"), []byte("5ded8b07"))
			header := signed(b, nil).Header
			var count atomic.Int64
			b.ReportAllocs()
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					body := fmt.Appendf(nil, "%s%08x%s", before, count.Add(1), after)
					w := httptest.NewRecorder()
					handler.ServeHTTP(w, (&http.Request{Method: http.MethodPost, Header: header, Body: httpBody(body), ContentLength: int64(len(body))}).WithContext(b.Context()))
					if w.Code != http.StatusOK {
						b.Errorf("status %d", w.Code)
					}
				}
			})
		})
	}
}

func BenchmarkServer(b *testing.B) {
	for name, handler := range benchmarkHandlers(b) {
		b.Run(name, func(b *testing.B) {
			server := httptest.NewServer(handler)
			defer server.Close()
			before, after, _ := bytes.Cut(sample(b, "matter-updated"), []byte("5ded8b07"))
			header := signed(b, nil).Header
			var count atomic.Int64
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					body := fmt.Appendf(nil, "%s%08x%s", before, count.Add(1), after)
					req, err := http.NewRequest(http.MethodPost, server.URL, bytes.NewReader(body))
					if err != nil {
						b.Error(err)
						return
					}
					req.Header = header
					res, err := server.Client().Do(req)
					if err != nil {
						b.Error(err)
						return
					}
					_, _ = io.Copy(io.Discard, res.Body)
					_ = res.Body.Close()
				}
			})
		})
	}
}
