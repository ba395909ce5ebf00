package webhook_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/webhook"
)

func TestTheStoredFormOfAMessageIsReadableAndHoldsNoSignature(t *testing.T) {
	t.Parallel()
	message := webhook.Message{
		Identity: strings.Repeat("0f", 32), Record: strings.Repeat("a1", 32), Received: clock(), RequestID: requestID, Body: []byte(`{"type":"x"}`),
		Verified: webhook.Verified{
			Signature: models.NewSecret("5ecf00d"), Timestamp: "638912345678901234", RequestID: requestID, SentAt: sentTicks, KeyIndex: 1,
		},
	}
	text, err := message.MarshalBinary()
	require.NoError(t, err)
	assert.NotContains(t, string(text), "5ecf00d")
	assert.JSONEq(t, `{
		"format": 1,
		"identity": "`+message.Identity+`",
		"record": "`+message.Record+`",
		"received": "2025-08-19T21:09:27.8901234Z",
		"requestId": "`+requestID+`",
		"signed": true, "signedRequestId": "`+requestID+`", "timestamp": "638912345678901234", "keyIndex": 1,
		"body": "eyJ0eXBlIjoieCJ9"
	}`, string(text))
}

func TestAMessageIsReadAsItWasStored(t *testing.T) {
	t.Parallel()
	for rule, verified := range map[string]webhook.Verified{
		"signed":   {Signature: models.NewSecret("5ecf00d"), Timestamp: "638912345678901234", RequestID: "signed", SentAt: sentTicks, KeyIndex: 1},
		"unsigned": {},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			stored := webhook.Message{
				Identity: strings.Repeat("0f", 32), Record: strings.Repeat("a1", 32), Received: clock().UTC(), RequestID: requestID,
				Body: []byte(`{"type":"x"}`), Carried: map[string]string{"traceparent": "00"}, Verified: verified,
			}
			text, err := stored.MarshalBinary()
			require.NoError(t, err)
			var read webhook.Message
			require.NoError(t, read.UnmarshalBinary(text))
			assert.Equal(t, verified.Signed(), read.Verified.Signed())
			assert.True(t, read.Verified.Signature.IsZero())
			assert.Equal(t, verified.SentAt, read.Verified.SentAt)
			assert.Equal(t, verified.RequestID, read.Verified.RequestID)
			stored.Verified, read.Verified = webhook.Verified{}, webhook.Verified{}
			assert.Equal(t, stored, read)
		})
	}
}

func TestAStoredMessageOfAnotherFormIsRefused(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"nothing":          "",
		"no JSON":          "x",
		"no format":        `{}`,
		"a later format":   `{"format":2}`,
		"a bad request id": `{"format":1,"requestId":"%zz"}`,
		"a bad signed id":  `{"format":1,"signed":true,"signedRequestId":"%"}`,
		"a bad timestamp":  `{"format":1,"signed":true,"timestamp":"-1"}`,
		"a bad body":       `{"format":1,"body":"!"}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := webhook.Message{RequestID: "as before"}
			require.ErrorContains(t, m.UnmarshalBinary([]byte(text)), "webhook: cannot decode a stored message")
			assert.Equal(t, webhook.Message{RequestID: "as before"}, m)
		})
	}
}

// FuzzMessage checks that a message survives encoding, and that arbitrary
// stored forms do not cause a panic.
func FuzzMessage(f *testing.F) {
	f.Add([]byte(`{"format":1,"signed":true,"timestamp":"1"}`), "a", "b", "638912345678901234", 1, int64(5))
	f.Add([]byte{0xff}, "\xff%2f|", "", "0", -1, int64(-62135596800))
	f.Fuzz(func(t *testing.T, body []byte, requestID, signedID, timestamp string, keyIndex int, unix int64) {
		var read webhook.Message
		if read.UnmarshalBinary(body) == nil {
			again, err := read.MarshalBinary()
			require.NoError(t, err)
			var twice webhook.Message
			require.NoError(t, twice.UnmarshalBinary(again))
			require.Equal(t, read, twice)
		}
		want := webhook.Message{
			Identity: "1", Received: time.Unix((unix%250000000000+250000000000)%250000000000, 5).UTC(), RequestID: requestID, Body: body,
			Verified: webhook.Verified{
				Signature: models.NewSecret("s"), Timestamp: timestamp, RequestID: signedID, KeyIndex: keyIndex,
			},
		}
		text, err := want.MarshalBinary()
		require.NoError(t, err)
		var got webhook.Message
		if got.UnmarshalBinary(text) != nil {
			return // the timestamp is invalid
		}
		assert.Equal(t, want.Body, append([]byte{}, got.Body...))
		assert.True(t, got.Received.Equal(want.Received))
		assert.Equal(t, want.RequestID, got.RequestID)
		assert.True(t, got.Verified.Signed())
		assert.Equal(t, want.Verified.Timestamp, got.Verified.Timestamp)
		assert.Equal(t, want.Verified.RequestID, got.Verified.RequestID)
		assert.Equal(t, want.Verified.KeyIndex, got.Verified.KeyIndex)
	})
}
