package practicetest

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"strconv"
	"time"
)

const (
	// deliveryLimit is the time limit of a delivery.
	deliveryLimit = 10 * time.Second
	// answerLimit is the maximum number of bytes read from a response body,
	// which is ignored.
	answerLimit = 64 << 10
)

// wireNotification is the JSON form of a delivery.
type wireNotification struct {
	AccountID      string          `json:"accountId"`
	UserID         string          `json:"userId,omitempty"`
	SubscriptionID string          `json:"subscriptionId"`
	Type           string          `json:"type"`
	Source         string          `json:"source"`
	Timestamp      int64           `json:"timestamp"`
	Payload        json.RawMessage `json:"payload"`
}

func notification(to subscription, e Event) []byte {
	return encode(wireNotification{
		AccountID: to.accountID, UserID: e.UserID, SubscriptionID: to.id,
		Type: e.Type, Source: e.Source, Timestamp: e.Timestamp, Payload: e.Payload,
	})
}

// attempt sends a parcel once. The RequestId header is always set. Timestamp
// and Signature need the key of the subscription.
func (c *courier) attempt(p parcel, stamp int64) Delivery {
	h := http.Header{"Content-Type": {"application/json"}, "User-Agent": {"practice-webhooks/1.0"}}
	h.Set("RequestId", p.event.RequestID)
	if p.to.key != "" {
		timestamp := strconv.FormatInt(stamp, 10)
		h.Set("Timestamp", timestamp)
		h.Set("Signature", signDelivery(p.to.key, timestamp, p.event.RequestID, p.to.clientID))
	}
	d := Delivery{
		SubscriptionID: p.to.id, URL: p.to.url, Type: p.event.Type, RequestID: p.event.RequestID,
		Header: h, Body: p.body, Sent: c.clock.Now(), Duplicate: p.duplicate,
	}
	d.Status, d.Err = c.post(p.to.url, h, p.body)
	return d
}

func (c *courier) post(url string, h http.Header, body []byte) (status int, err error) {
	ctx, cancel := context.WithTimeout(c.ctx, deliveryLimit)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return 0, err
	}
	req.Header = h.Clone()
	resp, err := c.client.Do(req)
	if err != nil {
		return 0, err
	}
	defer func() { _ = resp.Body.Close() }() // only the status of the response matters
	_, _ = io.CopyN(io.Discard, resp.Body, answerLimit)
	return resp.StatusCode, nil
}

// signDelivery returns the Signature header of a delivery.
func signDelivery(key, timestamp, requestID, clientID string) string {
	h := hmac.New(sha256.New, []byte(key))
	h.Write([]byte(timestamp + "|" + requestID + "|" + clientID)) // writes to a hash do not fail
	return hex.EncodeToString(h.Sum(nil))
}
