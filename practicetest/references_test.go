package practicetest_test

import (
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/description"
	"github.com/practicesdk/practice-go/internal/operations"
	"github.com/practicesdk/practice-go/internal/soak"
	"github.com/practicesdk/practice-go/practicetest"
)

// TestEveryReferenceIsLookedUp takes a valid request of each operation and
// replaces each reference by a text that is no id, an unknown id, the id of a
// record of another kind, and the id of another firm's record.
func TestEveryReferenceIsLookedUp(t *testing.T) {
	soak.NotWithRaceDetector(t, "one call at a time")
	t.Parallel()
	document := describedAPI(t)
	s := practicetest.New(t, practicetest.WithRequestLog(0))
	f, seen := s.Firm(), map[string]bool{}
	for _, op := range operations.All() {
		o := document.Operation(op.ID)
		if o.Body == nil || o.Body.List {
			continue
		}
		sent := goodCall(t, s, op)
		for _, at := range referencesOf(o.Body.Type.Ref, nil) {
			if at.to == "activitycodes/code" {
				continue // the service may have codes that are not records of the firm
			}
			seen[at.to] = true
			for id, isMistake := range map[string]bool{
				"me": true, "1": true, nobody: false, f.WebhookID: false, f.OtherFirmMatterID: false,
			} {
				where := op.ID + " " + strings.Join(at.path, ".") + " = " + id
				var got answer
				found := s.Tolerate(func() { got = callFor(t, s, op).do(sent.method, sent.path, sent.with(t, at, id)) })
				switch {
				case o.Class == "read" && !isMistake:
					assert.Contains(t, []int{200, 400}, got.Status, "%s: %s", where, got.Body) // a search may find nothing
				default:
					assert.Contains(t, []int{400, 403, 404}, got.Status, "%s: %s", where, got.Body)
					noted := regexp.MustCompile(`must be a valid|must be a UUID`).MatchString(strings.Join(found, " "))
					assert.Equal(t, isMistake || at.to == "mattertypes", noted, "%s: %v", where, found) // these ids are not plain UUIDs
				}
			}
		}
	}
	assert.GreaterOrEqual(t, len(seen), 10, "%v", slices.Sorted(maps.Keys(seen)))
}

// nobody is an unknown id.
const nobody = "11111111-2222-4333-8444-555555555555"

// request holds the parts of a valid request.
type request struct{ method, path, body string }

// callFor returns a caller with the kind of token that an operation needs.
func callFor(t *testing.T, s *practicetest.Server, op operations.Operation) caller {
	t.Helper()
	if op.ByClient() {
		return call(t, s).asClient()
	}
	return call(t, s)
}

// goodCall returns a valid request of an operation.
func goodCall(t *testing.T, s *practicetest.Server, op operations.Operation) (sent request) {
	t.Helper()
	stopped := errors.New("nothing is sent")
	client, err := practice.NewClient(s.BaseURL(), practice.WithAPIKey("key"), practice.WithAccessToken("token"), practice.WithRetries(0),
		practice.WithHTTPClient(&http.Client{Transport: roundTripper(func(r *http.Request) (*http.Response, error) {
			sent.method, sent.path = r.Method, strings.TrimPrefix(r.URL.RequestURI(), "/practice/v1")
			if r.Body != nil {
				body, err := io.ReadAll(r.Body)
				require.NoError(t, err)
				sent.body = string(body)
			}
			return nil, stopped
		})}))
	require.NoError(t, err)
	require.ErrorIs(t, op.Call(t.Context(), client, s.Firm()), stopped, op.ID)
	return sent
}

// place is the path of an id in a body. [] means the first element of a list.
// to is the kind of the target.
type place struct {
	path []string
	to   string
}

// referencesOf returns the paths of the ids in a body.
func referencesOf(s *description.Schema, above []string) (all []place) {
	if len(above) > 4 {
		return nil // a recursive schema
	}
	for _, m := range s.Members {
		path, inside := append(slices.Clone(above), m.Name), m.Type
		for ; inside.Elem != nil; inside = inside.Elem {
			if inside.Kind == description.Map {
				path = append(path, "Client")
			} else {
				path = append(path, "[]")
			}
		}
		switch {
		case inside.Ref != nil:
			all = append(all, referencesOf(inside.Ref, path)...)
		case m.Target != "":
			all = append(all, place{path, m.Target})
		}
	}
	return all
}

// with returns the body with the value at a path replaced.
func (r request) with(t *testing.T, at place, id any) string {
	t.Helper()
	var body any = map[string]any{}
	if r.body != "" {
		require.NoError(t, json.Unmarshal([]byte(r.body), &body))
	}
	text, err := json.Marshal(written(body, at.path, id))
	require.NoError(t, err)
	return string(text)
}

// written returns a JSON value with id at a path, which is created if it is
// missing.
func written(value any, path []string, id any) any {
	if len(path) == 0 {
		return id
	}
	if path[0] == "[]" {
		list, _ := value.([]any)
		if len(list) == 0 {
			list = []any{nil}
		}
		list[0] = written(list[0], path[1:], id)
		return list
	}
	members, _ := value.(map[string]any)
	if members == nil {
		members = map[string]any{}
	}
	members[path[0]] = written(members[path[0]], path[1:], id)
	return members
}

// TestAQueryForTheIDOfNoRecordIsNoticed filters each list by a text that is no
// id and by an unknown id. A lenient service finds nothing for either.
func TestAQueryForTheIDOfNoRecordIsNoticed(t *testing.T) {
	t.Parallel()
	document := describedAPI(t)
	strict, lenient := practicetest.New(t), practicetest.New(t, practicetest.WithStrict(false))
	asked := 0
	for _, area := range document.Areas {
		for _, o := range area.Operations {
			for _, p := range o.Query {
				if p.Target == "" {
					continue
				}
				asked++
				at := identifiers(strict.Firm()).Replace(pathOfOperation(o)) + "?" + p.Name + "="
				for _, id := range []string{"1", "me", "{id}"} {
					refused := call(t, strict).mistake(o.HTTPMethod, at+url.QueryEscape(id), "")
					assert.Contains(t, refused.Body, p.Name, "%s %s", at, id)
				}
				assert.Contains(t, []int{200, 404}, call(t, strict).do(o.HTTPMethod, at+idOfNothing(p.Target), "").Status, at)
				if p.Type.Kind != description.UUID {
					assert.Contains(t, []int{200, 404}, call(t, lenient).do(o.HTTPMethod, at+"me", "").Status, at)
				}
			}
		}
	}
	assert.GreaterOrEqual(t, asked, 15)
}

func idOfNothing(kind string) string {
	if kind == "mattertypes" {
		return nobody + "_IL"
	}
	return nobody
}

// TestABlankTextIsNone sends white space in each string that must not be empty.
func TestABlankTextIsNone(t *testing.T) {
	soak.NotWithRaceDetector(t, "one call at a time")
	t.Parallel()
	document := describedAPI(t)
	s, tried := practicetest.New(t, practicetest.WithRequestLog(0)), 0
	for _, op := range operations.All() {
		o := document.Operation(op.ID)
		if o.Body == nil || o.Body.List {
			continue
		}
		sent := goodCall(t, s, op)
		for _, m := range o.Body.Type.Ref.Members {
			if m.Type.Kind == description.Text && m.MinLength != nil && *m.MinLength > 0 {
				tried++
				found := s.Tolerate(func() {
					got := callFor(t, s, op).do(sent.method, sent.path, sent.with(t, place{path: []string{m.Name}}, " \t"))
					assert.Equal(t, 400, got.Status, "%s: %s", op.ID, got.Body)
				})
				assert.Regexp(t, m.Name+": (must not be blank|not an id)", strings.Join(found, " "), op.ID)
			}
		}
	}
	assert.GreaterOrEqual(t, tried, 20)
}

// TestEveryIDOfAPathIsLookedUp sends a valid request of each operation with an
// unknown id for each id in its path, and unchanged to the other firm, which the
// records do not belong to.
func TestEveryIDOfAPathIsLookedUp(t *testing.T) {
	soak.NotWithRaceDetector(t, "one call at a time")
	t.Parallel()
	document := describedAPI(t)
	otherwise := map[string]int{
		"patchFee {id}": 202, "patchFee elsewhere": 202, "getPromotion {id}": 400, // as documented: the former fails late
		"patchMatterLayout {itemId}": 400, "updateContactRelation {relatedContactId}": 400, // the body names the id, too
		"createFiles": 400, "sendPortalMessage": 400, // the body or the header names a user
	}
	one, several := practicetest.New(t, practicetest.WithStrict(false)), practicetest.New(t, practicetest.WithStrict(false), practicetest.WithMultiAccount(true))
	for _, op := range operations.All() {
		o := document.Operation(op.ID)
		sent := goodCall(t, one, op)
		path, query, _ := strings.Cut(sent.path, "?")
		template, segments := strings.Split(o.Path, "/"), strings.Split(path, "/")
		with := func(at int, id string) answer {
			changed := slices.Clone(segments)
			changed[at] = id
			return callFor(t, one, op).do(sent.method, strings.Join(changed, "/")+"?"+query, sent.body)
		}
		for i, name := range template {
			if !strings.HasPrefix(name, "{") {
				continue
			}
			got := with(i, idOfNothing(segments[i-1]))
			assert.Equal(t, cmp.Or(otherwise[op.ID+" "+name], 404), got.Status, "%s %s: %s", op.ID, name, got.Body)
			if name == "{matterId}" && strings.Contains(strings.Join(template[i+1:], "/"), "{") {
				got := with(i, one.Firm().MatterIDs[1])
				assert.Equal(t, cmp.Or(otherwise[op.ID+" elsewhere"], 404), got.Status, "%s of another matter: %s", op.ID, got.Body)
			}
		}
		if strings.Contains(o.Path, "{") {
			other := call(t, several).asClient()
			other.prefix = "/" + several.Firm().OtherAccountID
			got := other.do(sent.method, sent.path, sent.body)
			assert.Equal(t, cmp.Or(otherwise[op.ID], 403), got.Status, "%s: %s", op.ID, got.Body)
		}
	}
}

// TestARemovedUserIsNamedByNothingNew removes a user in each possible way and
// then uses the id in each member that refers to users.
func TestARemovedUserIsNamedByNothingNew(t *testing.T) {
	t.Parallel()
	for _, removal := range []string{"/users/", "/staff/", "/firmusers/"} {
		s := practicetest.New(t, practicetest.WithWriteDelay(0))
		c, f := call(t, s).asClient(), s.Firm()
		id := map[string]string{"/staff/": f.StaffID}[removal]
		c.do("DELETE", removal+cmp.Or(id, f.UserID), "").want(202)
		c.get("/users/" + f.UserID).want(404)
		for _, body := range [][3]string{
			{"POST", "/staff", `{"firstName":"A","lastName":"B","email":"a@b.example","userId":"` + f.UserID + `"}`},
			{"PATCH", "/matters/" + f.MatterID + "/fees/" + f.FeeID, `{"updatedByUserId":"` + f.UserID + `"}`},
			{"PUT", "/firmusers/" + f.StaffIDs[3], `{"userId":"` + f.UserID + `"}`},
		} {
			assert.Contains(t, c.do(body[0], body[1], body[2]).want(400).Body, "no such user", "%s, then %s", removal, body[1])
		}
	}
}
