package webhook_test

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"strconv"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/webhook"
)

// FuzzHeaders compares the verifier with a second implementation of the
// specification.
func FuzzHeaders(f *testing.F) {
	for _, v := range vectors(f) {
		f.Add(v.Signature, v.Timestamp, v.RequestID, false)
		f.Add(v.Signature, v.Timestamp, v.RequestID, true)
	}
	f.Add("", "638912345678901234|a", "b", true)
	f.Add("", "+638912345678901234", "", true)
	f.Add("", "0638912345678901234", "|", true)
	f.Add("", "638912348678901235", "", true)
	f.Fuzz(func(t *testing.T, signature, timestamp, requestID string, sign bool) {
		mac := hmac.New(sha256.New, []byte(key))
		mac.Write([]byte(timestamp + "|" + requestID + "|" + clientID))
		right := hex.EncodeToString(mac.Sum(nil))
		if sign {
			signature = right
		}
		ticks, err := strconv.ParseUint(timestamp, 10, 63)
		age := clock().Sub(models.Ticks(ticks).Time())
		good := signature == right && err == nil && age.Abs() <= time.Minute

		verifier, err := webhook.NewVerifier(clientID, webhook.Keys("other", key), webhook.WithClock(clock),
			webhook.WithTolerance(time.Minute))
		require.NoError(t, err)
		verified, err := verifier.Verify(headers(signature, timestamp, requestID))
		require.Equal(t, good, err == nil, "%v", err)
		require.Equal(t, good, verified.Signed())
		if good {
			assert.Equal(t, timestamp, verified.Timestamp)
			assert.Equal(t, requestID, verified.RequestID)
			assert.Equal(t, ticks, uint64(verified.SentAt))
		}
	})
}

// FuzzBody checks that every body is either handled once, as a strict parser
// reads it, or refused without a handler.
func FuzzBody(f *testing.F) {
	for _, name := range []string{"matter-updated", "error", "unknown-type"} {
		f.Add(sample(f, name))
	}
	for _, text := range []string{
		`{}`, `null`, `{"type":"x","type":"y"}`, `{"type":"x","payload":[1,"\ud800"]}`, `{"type":"x"}{`, "{\"type\":\"\xff\"}",
		`{"Type":"x","type":"matter.updated","payload":{"clients":[{}],"matterType":null}}`, `{"type":"x","timestamp":"1e3"}`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		receiver := newReceiver(t, webhook.WithMaxBody(1<<16))
		rest, matters := handleRest(receiver), handle(receiver, models.EventTypeMatterUpdated)
		switch status := serve(receiver, signed(t, body)).Code; status {
		case 400, 413:
			assert.Empty(t, *rest)
			assert.Empty(t, *matters)
		case 200:
			require.Equal(t, 1, len(*rest)+len(*matters))
			var strict struct {
				members map[string]json.RawMessage
				name    string
			}
			require.NoError(t, json.Unmarshal(body, &strict.members))
			require.NoError(t, json.Unmarshal(strict.members["type"], &strict.name))
			if len(*matters) == 1 {
				require.Equal(t, "matter.updated", strict.name)
				return
			}
			event := (*rest)[0]
			assert.Equal(t, strict.name, string(event.Type))
			assert.Equal(t, body, []byte(event.Raw))
			if event.Payload != nil {
				checkSameJSON(t, strict.members["payload"], event.Payload)
			}
		default:
			t.Errorf("status %d", status)
		}
	})
}

func checkSameJSON(t *testing.T, want, got json.RawMessage) {
	t.Helper()
	var w, g any
	require.NoError(t, json.Unmarshal(want, &w))
	require.NoError(t, json.Unmarshal(got, &g))
	assert.Equal(t, w, g)
}

// FuzzPayload checks that the id and the identity of an event follow from its
// payload as a strict parser reads it.
func FuzzPayload(f *testing.F) {
	for _, text := range []string{
		`{"id":"a"}`, `{"id":"a\"b\\"}`, `{"id":"\u0061\ud800"}`, `{"x":{"id":"n"},"id":"o"}`, `{ "id" : "s" }`, `{"id":1e5}`, `{"id":"a","id":"b"}`,
		"{\"id\":\"\xff\"}", `{"id":"","ID":"x"}`, `[{"id":"a"}]`, `null`, `{"id":`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, payload []byte) {
		receiver := newReceiver(t)
		events := handleRest(receiver)
		body := append(append([]byte(`{"type":"x.y","payload":`), payload...), '}')
		if serve(receiver, signed(t, body)).Code != http.StatusOK {
			return
		}
		require.Len(t, *events, 1)
		event := (*events)[0]
		var strict map[string]json.RawMessage
		if json.Unmarshal(body, &strict) != nil || !utf8.Valid(body) || bytes.Contains(body, []byte(`\u`)) || len(event.Payload) == 0 {
			return
		}
		var members map[string]any
		decoder := json.NewDecoder(bytes.NewReader(strict["payload"]))
		decoder.UseNumber()
		want := ""
		if decoder.Decode(&members) == nil {
			switch id := members["id"].(type) {
			case string:
				want = id
			case json.Number:
				want = id.String()
			}
		}
		assert.Equal(t, want, event.ResourceID())
		var compact bytes.Buffer
		require.NoError(t, json.Compact(&compact, event.Payload))
		again := serve(receiver, signed(t, append(append([]byte(`{"type":"x.y","payload":`), compact.Bytes()...), '}')))
		require.Equal(t, http.StatusOK, again.Code)
		assert.Equal(t, event.Identity(), (*events)[1].Identity())
	})
}
