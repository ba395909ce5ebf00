package webhook_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/soak"
	"github.com/practicesdk/practice-go/webhook"
)

const generatedMax = 2000 // bytes of a body

// sent is a delivery, with the properties that make it valid or invalid.
type sent struct {
	header  http.Header
	at      time.Time // as signed
	good    bool      // the signature
	body    []byte
	event   string // of a well-formed body
	refused int    // status for the body; 0 if it is well-formed and not too large
}

// generator generates deliveries with their expected results.
type generator struct {
	tb     testing.TB
	random *rand.Rand
	signer *webhook.Signer
	now    time.Time
	serial int
	past   []sent            // with good signatures
	first  map[string]string // first body by signature
	done   map[string]bool   // events that were accepted
}

func (g *generator) fresh() sent {
	g.serial++
	event := fmt.Sprint("event-", g.serial)
	body := fmt.Appendf(nil, `{"accountId":"a","type":"%s.updated","timestamp":%d,"payload":{"id":"%d","title":"%s"}}`,
		[]string{"matter", "contact", "fee"}[g.serial%3], 638_000_000_000_000_000+int64(g.serial/2), g.serial%50, event)
	return g.sign(sent{body: body, event: event}, g.signer, g.now)
}

// sign signs a delivery again.
func (g *generator) sign(s sent, signer *webhook.Signer, at time.Time) sent {
	s.header = http.Header{}
	require.NoError(g.tb, signer.Sign(s.header, at, fmt.Sprint("request-", g.random.Uint32())))
	s.at, s.good = at, signer == g.signer
	return s
}

// spoilt replaces the body of a delivery with an invalid one.
func (g *generator) spoilt(s sent) sent {
	s.event = ""
	if g.random.IntN(4) == 0 {
		s.body, s.refused = bytes.Repeat([]byte("x"), generatedMax+1+g.random.IntN(100)), 413
		return s
	}
	bad := []string{"", "null", "[]", "{}", `{"type":""}`, `{"type":7}`, `{"type":"a","type":"a"}`, `{"type":"a"}}`, "\x00", `{"type":["a"],"timestamp":1.5}`}
	s.body, s.refused = []byte(bad[g.random.IntN(len(bad))]+strings.Repeat(" ", g.random.IntN(3))), 400
	return s
}

// next returns another delivery of a random kind.
func (g *generator) next() sent {
	g.now = g.now.Add(time.Duration(g.random.IntN(50)) * time.Millisecond)
	earlier := g.past[max(0, len(g.past)-1-g.random.IntN(2000))]
	switch g.random.IntN(12) {
	case 0: // the same again
		return earlier
	case 1: // the same event, signed anew
		return g.sign(earlier, g.signer, g.now)
	case 2: // another body with the headers of an earlier delivery
		other := g.fresh()
		other.header, other.at = earlier.header, earlier.at
		return other
	case 3:
		return g.spoilt(earlier)
	case 4:
		return g.spoilt(g.fresh())
	case 5:
		return g.forged(g.fresh())
	case 6: // too old or too new, or at the limit
		age := time.Duration(g.random.IntN(3)-1) * (webhook.DefaultTolerance + time.Duration(g.random.IntN(2))*time.Microsecond)
		return g.sign(g.fresh(), g.signer, g.now.Add(age))
	default:
		return g.fresh()
	}
}

// forged changes the signed part.
func (g *generator) forged(s sent) sent {
	s.good = false
	switch signature := s.header.Get(webhook.HeaderSignature); g.random.IntN(6) {
	case 0:
		other, err := webhook.NewSigner(clientID, "another key")
		require.NoError(g.tb, err)
		return g.sign(s, other, g.now)
	case 1:
		other, err := webhook.NewSigner("another client", key)
		require.NoError(g.tb, err)
		return g.sign(s, other, g.now)
	case 2:
		i := g.random.IntN(len(signature))
		s.header.Set(webhook.HeaderSignature, signature[:i]+string("0123456789abcdef"[g.random.IntN(16)])+signature[i+1:])
		s.good = s.header.Get(webhook.HeaderSignature) == signature
	case 3:
		s.header.Set(webhook.HeaderRequestID, s.header.Get(webhook.HeaderRequestID)+"0")
	case 4:
		s.header.Set(webhook.HeaderTimestamp, "0"+s.header.Get(webhook.HeaderTimestamp))
	default:
		s.header.Del(webhook.HeaderSignature)
	}
	return s
}

// expect returns the expected status, and whether the event must be handled now
// and an alarm raised.
func (g *generator) expect(s sent) (status int, handled, alarm bool) {
	if !s.good || g.now.Sub(s.at).Abs() > webhook.DefaultTolerance {
		return 401, false, false
	}
	signature, body := s.header.Get(webhook.HeaderSignature), string(s.body[:min(len(s.body), generatedMax+1)])
	if first, known := g.first[signature]; known {
		alarm = first != body
	} else {
		g.first[signature] = body
		g.past = append(g.past, s)
	}
	if s.refused != 0 {
		return s.refused, false, alarm
	}
	handled = !g.done[s.event]
	g.done[s.event] = true
	return 200, handled, alarm
}

func TestGeneratedDeliveries(t *testing.T) {
	soak.NotWithRaceDetector(t, "one delivery at a time")
	t.Parallel()
	signer, err := webhook.NewSigner(clientID, key)
	require.NoError(t, err)
	g := &generator{
		tb: t, random: rand.New(rand.NewPCG(1, 2)), signer: signer, now: clock(),
		first: map[string]string{}, done: map[string]bool{},
	}
	alarms, generated := 0, soak.Times(10_000, 100_000)
	receiver := newReceiver(t, webhook.WithClock(func() time.Time { return g.now }), webhook.WithMaxBody(generatedMax),
		webhook.WithDeduplicator(newDeduplicator(t)),
		webhook.WithAlarmHook(func(context.Context, webhook.Alarm) bool { alarms++; return false }))
	events := handleRest(receiver)
	seen := map[int]int{}
	g.past = append(g.past, g.fresh())
	for i := range generated {
		s := g.next()
		wantStatus, wantHandled, wantAlarm := g.expect(s)
		*events, alarms = nil, 0
		w := httptest.NewRecorder()
		receiver.ServeHTTP(w, &http.Request{Method: http.MethodPost, Header: s.header, Body: httpBody(s.body)})
		seen[w.Code]++
		if w.Code != wantStatus || (len(*events) == 1) != wantHandled || (alarms == 1) != wantAlarm || len(*events)+alarms > 2 {
			t.Fatalf("delivery %d: status %d, want %d; handled %d, want %v; alarms %d, want %v: %s",
				i, w.Code, wantStatus, len(*events), wantHandled, alarms, wantAlarm, s.body)
		}
		if wantHandled {
			assert.Contains(t, string((*events)[0].Payload), `"`+s.event+`"`)
		}
	}
	for _, status := range []int{200, 400, 401, 413} {
		assert.Greater(t, seen[status], generated/100, "status %d", status)
	}
	stats := receiver.Stats()
	assert.Greater(t, stats.Alarms, uint64(generated/20))
	assert.Greater(t, stats.Duplicates, uint64(generated/20))
	assert.EqualValues(t, len(g.done), stats.Handled)
}
