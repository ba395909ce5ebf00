package practicetest_test

import (
	"encoding/json"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/practicetest"
)

// write is an asynchronous write with a function to observe its effect.
type write struct {
	method, path, body string
	read               string
	seen               func(answer) bool
}

func asynchronous(f practicetest.Firm) map[string]write {
	matter := "/matters/" + f.MatterID
	return map[string]write{
		"createFolder": {"POST", matter + "/documents/folders", `{"name":"New"}`, matter + "/documents/folders", func(a answer) bool { return a.at("size") == json.Number("7") }},
		"patchFee":     {"PATCH", matter + "/fees/" + f.FeeID, `{"subject":"New"}`, matter + "/fees/" + f.FeeID, func(a answer) bool { return a.text("subject") == "New" }},
		"deleteStaff":  {"DELETE", "/staff/" + f.StaffID, "", "/staff/" + f.StaffID, func(a answer) bool { return a.at("former") == true }},
	}
}

func TestAcceptedWritesAreVisibleAfterADelay(t *testing.T) {
	t.Parallel()
	for name, tt := range asynchronous(practicetest.New(t).Firm()) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := practicetest.New(t, practicetest.WithVirtualClock(start), practicetest.WithWriteDelay(time.Minute))
			c := call(t, s)
			c.do(tt.method, tt.path, tt.body).want(202)
			s.Clock().Advance(time.Minute - 1)
			assert.False(t, tt.seen(c.get(tt.read)), "not before its time")
			s.Clock().Advance(1)
			assert.True(t, tt.seen(c.get(tt.read)))

			s = practicetest.New(t, practicetest.WithWriteDelay(time.Hour))
			call(t, s).do(tt.method, tt.path, tt.body).want(202)
			s.Settle()
			assert.True(t, tt.seen(call(t, s).get(tt.read)), "Settle makes it visible")

			s = practicetest.New(t, practicetest.WithWriteDelay(0))
			call(t, s).do(tt.method, tt.path, tt.body).want(202)
			assert.True(t, tt.seen(call(t, s).get(tt.read)), "no delay, no wait")
		})
	}
}

func TestAcceptedWritesMayFailLater(t *testing.T) {
	t.Parallel()
	f := practicetest.New(t).Firm()
	for name, tt := range asynchronous(f) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := practicetest.New(t)
			inbox := subscribe(t, s, "error")
			s.FailWrite(name, "The record is locked")
			call(t, s).with("RequestId", "request-7").do(tt.method, tt.path, tt.body).want(202)
			s.Settle()
			assert.False(t, tt.seen(call(t, s).get(tt.read)), "it has no effect")
			failed := inbox.wait(1)[0]
			assert.Equal(t, "error", failed.text("type"))
			assert.Equal(t, "The record is locked", failed.text("payload", "message"))
			assert.NotEmpty(t, failed.text("payload", "resourceName"))
			assert.NotEmpty(t, failed.text("payload", "resourceId"))
			assert.Equal(t, "request-7", failed.Header.Get("RequestId"))
			assert.Equal(t, s.Credentials().UserID, failed.text("userId"))

			call(t, s).do(tt.method, tt.path, tt.body).want(202)
			s.Settle()
			assert.True(t, tt.seen(call(t, s).get(tt.read)), "only one write was doomed")
		})
	}
}

func TestWritesTakeEffectInTheirOrder(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := practicetest.New(t, practicetest.WithWriteDelay(time.Second))
		fee := "/matters/" + s.Firm().MatterID + "/fees/" + s.Firm().FeeID
		inbox := subscribe(t, s, "fee.updated")
		for _, subject := range []string{"first", "second", "third"} {
			call(t, s).do("PATCH", fee, `{"subject":"`+subject+`"}`).want(202)
			pass(100 * time.Millisecond)
		}
		pass(2 * time.Second) // webhooks are sent even without requests
		synctest.Wait()
		var subjects []string
		for _, n := range inbox.wait(3) {
			subjects = append(subjects, n.text("payload", "subject"))
		}
		assert.Equal(t, []string{"first", "second", "third"}, subjects)
		assert.Equal(t, "third", call(t, s).get(fee).text("subject"))
	})
}

// TestNobodyMayRelyOnTheNameOfAResourceInAnError makes the same write fail in
// firms of three seeds.
func TestNobodyMayRelyOnTheNameOfAResourceInAnError(t *testing.T) {
	t.Parallel()
	names := map[string]bool{}
	for seed := range uint64(3) {
		s := practicetest.New(t, practicetest.WithSeed(seed+1), practicetest.WithWriteDelay(0))
		inbox := subscribe(t, s, "error")
		s.FailWrite("patchFee", "no")
		call(t, s).do("PATCH", "/matters/"+s.Firm().MatterID+"/fees/"+s.Firm().FeeID, `{"subject":"s"}`).want(202)
		failed := inbox.wait(1)[0]
		assert.Equal(t, s.Firm().FeeID, failed.text("payload", "resourceId"))
		names[failed.text("payload", "resourceName")] = true
	}
	assert.Equal(t, map[string]bool{"fee": true, "Fee": true, "": true}, names)
}

// TestTheTitleOfASeededMatterIsThatOfItsFirstReplacement writes each matter
// back unchanged.
func TestTheTitleOfASeededMatterIsThatOfItsFirstReplacement(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t, practicetest.WithWriteDelay(0))
	for _, id := range s.Firm().MatterIDs {
		before, _ := s.Matter(id)
		c := call(t, s)
		body := c.get("/matters/" + id).want(200)
		text := `{"matterTypeId":"` + body.text("matterType", "id") + `","status":"` + body.text("status") + `","number":"` + body.text("number") + `","clientIds":["` + body.text("clients", 0, "id") + `"]}`
		c.do("PUT", "/matters/"+id, text).want(202)
		after, _ := s.Matter(id)
		assert.Equal(t, before.Title, after.Title)
	}
}

// TestLateFailuresAreListed checks that the failures since the last reset are
// listed, in Go and by a command.
func TestLateFailuresAreListed(t *testing.T) {
	t.Parallel()
	s := controlled(t)
	fee := "/matters/" + s.Firm().MatterID + "/fees/" + s.Firm().FeeID
	s.FailWrite("patchFee", "The fee is finalized")
	for range 2 {
		call(t, s).with("RequestId", "r-1").do("PATCH", fee, `{"subject":"s"}`).want(202)
	}
	assert.Empty(t, s.LateFailures(), "they are not due")
	s.Settle()
	require.Len(t, s.LateFailures(), 1)
	assert.Regexp(t, `^fee `+s.Firm().FeeID+` \(RequestId "r-1"\): The fee is finalized$`, s.LateFailures()[0])
	assert.Contains(t, command(t, s, "GET", "/failures", "").want(200).Body, "The fee is finalized")
	s.Reset()
	assert.Empty(t, s.LateFailures())
}
