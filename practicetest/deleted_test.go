package practicetest_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/operations"
	"github.com/practicesdk/practice-go/internal/soak"
	"github.com/practicesdk/practice-go/practicetest"
)

// unties lists the DELETE operations that do not delete a record.
var unties = map[string]string{
	"deleteStaff":           "makes a former member, whose record the firm keeps",
	"deleteFirmUser":        "ends a tie between a user and a staff member",
	"deleteContactRelation": "ends a tie between two contacts",
	"removeLayoutContact":   "empties a field",
	"removeContactTagsBulk": "takes tags off a contact",
	"removePromotion":       "ends a tie between a subscription and a promotion",
	"removePaymentMethod":   "ends a tie between a subscription and what the account may pay with",
	"unsubscribeUsage":      "ends a tie between a subscription and a product",
}

// restoring lists the writes whose valid requests restore a deleted record.
var restoring = map[string]bool{"patchFolder": true, "updateMatter": true, "patchMatter": true}

// TestADeletedRecordTakesNoChange deletes a record of each kind and then
// performs each write on it or on a record below it. Only a write that restores
// the record changes anything. Deleting it again is not an error if it can
// still be read, and changes nothing. Records below it may be deleted.
func TestADeletedRecordTakesNoChange(t *testing.T) {
	soak.NotWithRaceDetector(t, "one call at a time")
	t.Parallel()
	document := describedAPI(t)
	s, tried := practicetest.New(t, practicetest.WithRequestLog(0), practicetest.WithStrict(false)), 0
	for _, deletion := range operations.All() {
		gone := document.Operation(deletion.ID)
		if gone.HTTPMethod != "DELETE" || unties[deletion.ID] != "" {
			continue
		}
		for _, op := range operations.All() {
			o := document.Operation(op.ID)
			if o.Class == "read" || !below(gone.Path, o.Path) || o.HTTPMethod == "DELETE" && op.ID != deletion.ID {
				continue
			}
			tried++
			s.Reset()
			deleted, write := goodCall(t, s, deletion), goodCall(t, s, op)
			at := under(plainPath(deleted.path), write.path)
			require.Less(t, call(t, s).do("DELETE", deleted.path, deleted.body).Status, 300, deletion.ID)
			s.Settle()
			before, readable := len(s.Changes()), call(t, s).get(plainPath(deleted.path)).Status == 200
			got := callFor(t, s, op).do(write.method, at, write.body)
			s.Settle()
			where := deletion.ID + ", then " + op.ID + ": " + got.Body
			if restoring[op.ID] && below(o.Path, gone.Path) {
				assert.Equal(t, 202, got.Status, where)
				assert.Greater(t, len(s.Changes()), before, where)
				continue
			}
			assert.Len(t, s.Changes(), before, where)
			switch {
			case op.ID == deletion.ID && readable, o.Late && below(o.Path, gone.Path):
				assert.Equal(t, 202, got.Status, where)
			default:
				assert.Contains(t, []int{400, 404}, got.Status, where)
			}
		}
	}
	assert.GreaterOrEqual(t, tried, 70)
}

// goesOn lists the operations that accept the id of a deleted record.
var goesOn = map[string]string{
	"createFile":       "makes a new folder of the same name",
	"requestPluginURL": "makes no record",
}

// TestNothingNewNamesADeletedRecord deletes a record of each kind and then uses
// its id in each reference to such records in a create.
func TestNothingNewNamesADeletedRecord(t *testing.T) {
	soak.NotWithRaceDetector(t, "one call at a time")
	t.Parallel()
	document := describedAPI(t)
	s, tried := practicetest.New(t, practicetest.WithRequestLog(0), practicetest.WithStrict(false)), 0
	for _, deletion := range operations.All() {
		gone := document.Operation(deletion.ID)
		segments := strings.Split(gone.Path, "/")
		if gone.HTTPMethod != "DELETE" || unties[deletion.ID] != "" || !strings.HasPrefix(segments[len(segments)-1], "{") {
			continue
		}
		if deletion.ID == "deleteUser" {
			continue // work of a former staff member can still be recorded
		}
		kind := segments[len(segments)-2]
		for _, op := range operations.All() {
			o := document.Operation(op.ID)
			if o.HTTPMethod != "POST" || o.Class == "read" || o.Body == nil || o.Body.List {
				continue
			}
			for _, at := range referencesOf(o.Body.Type.Ref, nil) {
				if to := strings.Split(at.to, "/"); !slices.Contains(to, kind) || to[len(to)-1] == "code" || goesOn[op.ID] != "" {
					continue
				}
				tried++
				s.Reset()
				deleted, creation := goodCall(t, s, deletion), goodCall(t, s, op)
				require.Less(t, call(t, s).do("DELETE", deleted.path, deleted.body).Status, 300, deletion.ID)
				s.Settle()
				before := len(s.Changes())
				got := callFor(t, s, op).do(creation.method, creation.path, creation.with(t, at, lastSegment(deleted.path)))
				s.Settle()
				where := deletion.ID + ", then " + op.ID + " with " + strings.Join(at.path, ".") + ": " + got.Body
				assert.Contains(t, []int{400, 404}, got.Status, where)
				assert.Regexp(t, "deleted|no such|combined|person who belongs|^$", got.Body, where) // group operations refuse without a body
				assert.Len(t, s.Changes(), before, where)
			}
		}
	}
	assert.GreaterOrEqual(t, tried, 20)
}

// TestADeletionAgainChangesNothing performs each DELETE operation twice. The
// second one must not create a version, a change log entry or an event for an
// unchanged record, even if the record remains and only a link or tag is
// removed.
func TestADeletionAgainChangesNothing(t *testing.T) {
	soak.NotWithRaceDetector(t, "one call at a time")
	t.Parallel()
	document := describedAPI(t)
	s := practicetest.New(t, practicetest.WithRequestLog(0), practicetest.WithStrict(false), practicetest.WithWriteDelay(0))
	for _, op := range operations.All() {
		if document.Operation(op.ID).HTTPMethod != "DELETE" {
			continue
		}
		s.Reset()
		gone, c := goodCall(t, s, op), callFor(t, s, op)
		require.Less(t, c.do(gone.method, gone.path, gone.body).Status, 300, op.ID)
		s.Settle()
		before := s.Changes()
		again := c.do(gone.method, gone.path, gone.body)
		s.Settle()
		assert.Equal(t, before, s.Changes(), "%s: %d", op.ID, again.Status)
	}
}

// TestARecordGoesOnNamingADeletedOne reads a task and writes it back after its
// matter was deleted.
func TestARecordGoesOnNamingADeletedOne(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t, practicetest.WithWriteDelay(0))
	c, f := call(t, s), s.Firm()
	task := func(matter, subject string) string {
		return `{"matterId":"` + matter + `","subject":"` + subject + `","staffId":"` + f.StaffID + `","assigneeIds":["` + f.StaffID + `"]}`
	}
	made := "/tasks/" + c.do("POST", "/tasks", task(f.MatterID, "Before")).want(202).text("id")
	c.do("DELETE", "/matters/"+f.MatterID, "").want(202)
	c.do("PUT", made, task(f.MatterID, "After")).want(202)
	assert.Equal(t, "After", c.get(made).text("subject"))
	c.do("PUT", made, task(f.MatterIDs[1], "Elsewhere")).want(202)
	refused := c.do("PUT", made, task(f.MatterID, "Back")).want(400)
	assert.Contains(t, refused.Body, "matterId")
	assert.Contains(t, refused.Body, "deleted")
}

// TestAWriteThatMeetsADeletionFailsLate refers to a matter whose deletion is
// pending. The write is accepted and fails when it is due.
func TestAWriteThatMeetsADeletionFailsLate(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t, practicetest.WithWriteDelay(time.Hour))
	c, f := call(t, s), s.Firm()
	inbox := subscribe(t, s, "error")
	c.do("DELETE", "/matters/"+f.MatterID, "").want(202)
	tasks := map[string]string{}
	for _, matter := range []string{f.MatterID, f.MatterIDs[1]} {
		tasks[matter] = c.do("POST", "/tasks", `{"matterId":"`+matter+`","subject":"s","staffId":"`+f.StaffID+`","assigneeIds":["`+f.StaffID+`"]}`).want(202).text("id")
	}
	s.Settle()
	failed := inbox.wait(1)[0]
	assert.Contains(t, failed.Body, tasks[f.MatterID])
	assert.Contains(t, failed.Body, "a deleted matter")
	c.get("/tasks/" + tasks[f.MatterID]).want(404)
	c.get("/tasks/" + tasks[f.MatterIDs[1]]).want(200)
}

func lastSegment(path string) string {
	path = plainPath(path)
	return path[strings.LastIndexByte(path, '/')+1:]
}

// below reports whether a template equals another one or continues it.
func below(above, template string) bool {
	a, b := strings.Split(above, "/"), strings.Split(template, "/")
	if len(b) < len(a) {
		return false
	}
	for i := range a {
		parameters := strings.HasPrefix(a[i], "{") && strings.HasPrefix(b[i], "{")
		if a[i] != b[i] && !parameters {
			return false
		}
	}
	return true
}

func plainPath(path string) string {
	path, _, _ = strings.Cut(path, "?")
	return path
}

// under returns a path whose first segments are replaced by those of another
// path.
func under(above, path string) string {
	a, p := strings.Split(above, "/"), strings.Split(path, "/")
	copy(p, a)
	return strings.Join(p, "/")
}
