package practicetest

import (
	"cmp"
	"encoding/json"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// controlList describes a list of records.
type controlList struct {
	Path   string `json:"path"`   // path template, such as /matters/{matterId}/fees
	Single bool   `json:"single"` // the path holds a single record, not a list
}

// readLists returns the path templates of all lists, and of the resources that
// have a single record.
func (s *Server) readLists() any {
	var all []controlList
	for _, of := range s.catalog.resources {
		if one := (controlList{"/" + strings.Join(of.listAt(), "/"), of.single}); !slices.Contains(all, one) {
			all = append(all, one)
		}
	}
	slices.SortFunc(all, func(a, b controlList) int { return cmp.Compare(a.Path, b.Path) })
	return listOf(all, func(l controlList) controlList { return l })
}

// mostRead is the maximum number of records in one response.
const mostRead = 100

// controlRecords is one page of a list.
type controlRecords struct {
	Value []json.RawMessage `json:"value"`
	Total int               `json:"total"` // length of the whole list
}

// readRecords returns a page of the list at a path, in order of creation. It
// shows the latest state, even if reads and lists of the API still lag behind.
func (s *Server) readRecords(r *http.Request) (any, error) {
	skip, err := countOf(r, "skip", 0)
	if err != nil {
		return nil, err
	}
	asked := r.URL.Query()
	if asked.Get("path") == "" {
		return nil, lacking("path")
	}
	path, err := s.pathOf(asked.Get("path"))
	if err != nil {
		return nil, err
	}
	of, above := s.catalog.listed(path)
	if of == nil {
		return nil, faulty("path", "does not contain a list of records")
	}
	defer s.settled()()
	all := s.latestBelow(of, above)
	v := s.view(s.linkerFor(""))
	part := mapped(slice(all, skip, mostRead), func(one *record) json.RawMessage { return v.record(s.state.completed(one, seenByWrites)) })
	return controlRecords{part, len(all)}, nil
}

// latestBelow returns the latest state of the records in the firm whose parents
// have the ids in above, without regard to visibility in lists.
func (s *Server) latestBelow(of *resource, above []string) []*record {
	for i := range above {
		above[i] = sameID(above[i])
		s.state.furnish(above[i])
	}
	var all []*record
	for key, place := range s.state.All() {
		r := place.Now
		switch {
		case key.Of != of || r == nil || r.deleted && of.vanishes:
		case r.account.id == s.firm.AccountID && slices.Equal(r.above, above):
			all = append(all, r)
		}
	}
	slices.SortFunc(all, func(a, b *record) int { return cmp.Compare(a.number, b.number) })
	return all
}

// latest returns a command that returns the last elements of what. The query
// parameter last sets their number; the default is all.
func latest[T, W any](what func(*Server) []T, wire func(T) W) func(*Server, *http.Request) (any, error) {
	return func(s *Server, r *http.Request) (any, error) {
		most, err := countOf(r, "last", math.MaxInt32)
		if err != nil {
			return nil, err
		}
		all := what(s)
		return listOf(all[max(0, len(all)-most):], wire), nil
	}
}

// countOf returns the number in a query parameter, or otherwise if the parameter
// is missing. It refuses a request with a body.
func countOf(r *http.Request, parameter string, otherwise int) (int, error) {
	if err := noBody(r); err != nil {
		return 0, err
	}
	n, err := strconv.Atoi(cmp.Or(r.URL.Query().Get(parameter), strconv.Itoa(otherwise)))
	if err != nil || n < 0 {
		return 0, faulty(parameter, "must be a non-negative integer")
	}
	return n, nil
}

// readRequests returns the latest requests. With bodies=false it leaves the
// bodies out, for clients that poll often.
func (s *Server) readRequests(r *http.Request) (any, error) {
	most, err := countOf(r, "last", math.MaxInt32)
	if err != nil {
		return nil, err
	}
	bodies, err := strconv.ParseBool(cmp.Or(r.URL.Query().Get("bodies"), "true"))
	if err != nil {
		return nil, faulty("bodies", "must be true or false")
	}
	return listOf(s.log.latest(most, bodies), func(one RecordedRequest) controlRequest {
		wire := wireRequest(one)
		if !bodies {
			wire.controlBody = controlBody{}
		}
		return wire
	}), nil
}
