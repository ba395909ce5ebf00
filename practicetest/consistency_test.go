package practicetest_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/practicesdk/practice-go/practicetest"
)

func consistent(t *testing.T, c practicetest.Consistency, opts ...practicetest.Option) (*practicetest.Server, tree) {
	t.Helper()
	s := practicetest.New(t, append(opts, practicetest.WithVirtualClock(start), practicetest.WithConsistency(c))...)
	return s, documents(t, s)
}

func TestAReferenceToWhatIsNotVisibleYet(t *testing.T) {
	t.Parallel()
	inFolder := func(id string) string { return fmt.Sprintf(`{"name":"Inner","parentFolderId":%q}`, id) }

	s, d := consistent(t, practicetest.Consistency{Pending: practicetest.PendingAccepted})
	outer := d.create("Outer", "")
	d.do("POST", d.path(""), inFolder(outer)).want(202)
	s.Clock().Advance(time.Minute)
	folders, _ := d.names(outer)
	assert.Equal(t, []string{"Inner"}, folders)

	_, d = consistent(t, practicetest.Consistency{Pending: practicetest.PendingRefused})
	d.do("POST", d.path(""), inFolder(d.create("Outer", ""))).want(404)

	s, d = consistent(t, practicetest.Consistency{Pending: practicetest.PendingFails})
	inbox := subscribe(t, s, "error")
	outer = d.create("Outer", "")
	failed := d.do("POST", d.path(""), inFolder(outer)).want(202).text("id")
	s.Clock().Advance(time.Minute)
	assert.Equal(t, failed, inbox.wait(1)[0].text("payload", "resourceId"))
	folders, _ = d.names(outer)
	assert.Empty(t, folders)
}

// TestWritesOvertakeEachOther checks that writes with different delays overtake
// each other, but not a write that they refer to.
func TestWritesOvertakeEachOther(t *testing.T) {
	t.Parallel()
	order := func(seed uint64) (subjects []string) {
		s, _ := consistent(t, practicetest.Consistency{MinDelay: time.Millisecond, MaxDelay: time.Second},
			practicetest.WithSeed(seed), practicetest.WithRendering(practicetest.Rendering{}))
		inbox := subscribe(t, s, "fee.updated")
		for i := range 6 {
			fee := "/matters/" + s.Firm().MatterID + "/fees/" + s.Firm().FeeID
			call(t, s).do("PATCH", fee, fmt.Sprintf(`{"subject":"%d"}`, i)).want(202)
		}
		s.Clock().Advance(time.Minute)
		for _, n := range inbox.wait(6) {
			subjects = append(subjects, n.text("payload", "subject"))
		}
		return subjects
	}
	first := order(1)
	assert.ElementsMatch(t, []string{"0", "1", "2", "3", "4", "5"}, first)
	assert.NotEqual(t, []string{"0", "1", "2", "3", "4", "5"}, first)
	assert.Equal(t, first, order(1), "a seed has one order")
	assert.NotEqual(t, first, order(2))
}

func TestAListLagsBehindARead(t *testing.T) {
	t.Parallel()
	s, d := consistent(t, practicetest.Consistency{ListLag: time.Hour})
	id := d.create("New", "")
	s.Clock().Advance(time.Second)
	d.get(d.path(id)).want(200)
	folders, _ := d.names("")
	assert.NotContains(t, folders, "New")
	s.Settle()
	folders, _ = d.names("")
	assert.Contains(t, folders, "New")
}

func TestAnEventComesBeforeTheRecordOrAfterIt(t *testing.T) {
	t.Parallel()
	s, _ := consistent(t, practicetest.Consistency{EventLead: time.Minute})
	fee, inbox := "/matters/"+s.Firm().MatterID+"/fees/"+s.Firm().FeeID, subscribe(t, s, "fee.updated")
	call(t, s).do("PATCH", fee, `{"subject":"New"}`).want(202)
	s.Clock().Advance(time.Second)
	assert.Equal(t, "New", inbox.wait(1)[0].text("payload", "subject"))
	assert.NotEqual(t, "New", call(t, s).get(fee).text("subject"))
	s.Clock().Advance(time.Minute)
	assert.Equal(t, "New", call(t, s).get(fee).text("subject"))

	s, _ = consistent(t, practicetest.Consistency{EventLag: time.Minute})
	inbox = subscribe(t, s, "fee.updated")
	call(t, s).do("PATCH", fee, `{"subject":"New"}`).want(202)
	s.Clock().Advance(time.Second)
	assert.Equal(t, "New", call(t, s).get(fee).text("subject"))
	assert.Empty(t, s.Deliveries())
	s.Clock().Advance(time.Minute)
	inbox.wait(1)
}

// TestTheConsistencyIsChangedByACommand sets a delay of one hour, which then
// applies to new writes until the service is reset.
func TestTheConsistencyIsChangedByACommand(t *testing.T) {
	t.Parallel()
	s := controlled(t, practicetest.WithVirtualClock(start))
	matter := "/matters/" + s.Firm().MatterID
	takesEffect := func(text string) bool {
		call(t, s).do("PATCH", matter, `{"description":"`+text+`"}`).want(202)
		s.Clock().Advance(time.Minute)
		return call(t, s).get(matter).text("description") == text
	}
	assert.True(t, takesEffect("at first"))
	command(t, s, "PUT", "/consistency", `{"minDelayMilliseconds":3600000,"maxDelayMilliseconds":3600000}`).want(204)
	assert.False(t, takesEffect("later"))
	command(t, s, "PUT", "/consistency", `{}`).want(204)
	assert.True(t, takesEffect("again"))
	s.SetConsistency(practicetest.Consistency{MinDelay: time.Hour, MaxDelay: time.Hour})
	assert.False(t, takesEffect("not now"))
	s.Reset()
	assert.True(t, takesEffect("after the reset"))
	for _, wrong := range []string{`{"minDelayMilliseconds":1}`, `{"listLagMilliseconds":-1}`, `{"pending":3}`, `{"lag":1}`} {
		command(t, s, "PUT", "/consistency", wrong).want(400)
	}
}
