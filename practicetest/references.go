package practicetest

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// A reference is a parameter or a member that holds the id of another record.
// The description says what it points to, so that one check serves every
// operation.

// maxCode is the length of the longest code of an activity.
const maxCode = 20

// couldName reports whether a text has the form of the ids of what a reference
// points to, or is the id that a test has given to such a record.
func (st *state) couldName(to, id string) bool {
	kind, code, _ := strings.Cut(to, "/")
	switch of := st.resource(kind); {
	case code == "code":
		return len(id) <= maxCode // the service may know codes that no record of the firm has
	case of.form != nil:
		return of.form(id) || st.slot(of, id) != nil
	default:
		return isUUID(id) || st.slot(of, id) != nil
	}
}

// checkReferences refuses texts that are the id of no record, whatever the
// service holds: numbers, names, ids of another form. A lenient service looks
// them up and finds nothing.
func (s *Server) checkReferences(_ *http.Request, c *call) error {
	if !s.strict.on {
		return nil
	}
	var bad []fieldFault
	judge := func(at, to, id string) error {
		if !s.state.couldName(to, id) {
			wrong := "not an id of " + to
			if strings.HasSuffix(to, "/code") {
				wrong = "at most " + strconv.Itoa(maxCode) + " characters: a code, not an id"
			}
			bad = append(bad, fieldFault{at, "Invalid", wrong})
		}
		return nil
	}
	for i := range c.route.parameters {
		if p := &c.route.parameters[i]; p.to != "" && c.queries[p.name] != nil {
			_ = judge(p.name, p.to, c.query[p.name])
		}
	}
	_ = c.eachReference(judge)
	if bad != nil {
		return invalid(bad...)
	}
	return nil
}

// isNamed refuses a text that could be the id of nothing. It is for the members
// whose text alone does not say what it is the id of.
func (t *tx) isNamed(at, to, id string) error {
	if id == "" || t.server.state.couldName(to, id) {
		return nil
	}
	return faulty(at, "not an id of %s", to)
}

// eachReference visits what the body of a call names, until an error: at is the
// place of the id, to what it points to. An empty text names nothing; in a list
// it is an id that is none.
func (c *call) eachReference(visit func(at, to, id string) error) error {
	return c.eachText(func(at string, _ *value, to, id string) error {
		if to == "" || id == "" && !strings.HasSuffix(at, "]") {
			return nil
		}
		return visit(at, to, id)
	})
}

// textVisitor takes a text of a body: its place, what describes it, and what it
// points to.
type textVisitor func(at string, v *value, to, text string) error

// eachText visits the texts of the body of a call, until an error.
func (c *call) eachText(visit textVisitor) error {
	switch form := c.route.body; {
	case form == nil || len(c.rawBody) == 0:
		return nil
	case form.kind == kindObject:
		return textsOfMembers(form.object, c.body, "", visit)
	default:
		return textsBelow(form, form.to, c.rawBody, "", visit)
	}
}

func textsOfMembers(object string, members map[string]json.RawMessage, at string, visit textVisitor) error {
	form := schemas[object]
	for i := range form {
		if raw, there := members[form[i].name]; there && string(raw) != "null" {
			if err := textsBelow(&form[i], form[i].to, raw, at+form[i].name, visit); err != nil {
				return err
			}
		}
	}
	return nil
}

// textsBelow visits a text, those of a list, or those inside of an object.
func textsBelow(v *value, to string, raw json.RawMessage, at string, visit textVisitor) error {
	switch v.kind {
	case kindObject:
		members, _ := parseObject(raw) // the schema has checked it
		return textsOfMembers(v.object, members, at+".", visit)
	case kindMap:
		members, _ := parseObject(raw)
		for _, name := range sortedNames(members) {
			if err := textsBelow(v.elem, to, members[name], at+"."+name, visit); err != nil {
				return err
			}
		}
	case kindList:
		for i, one := range elements(raw) {
			if err := textsBelow(v.elem, to, one.(json.RawMessage), at+"["+strconv.Itoa(i)+"]", visit); err != nil {
				return err
			}
		}
	default:
		if to == "" && v.known == nil {
			return nil // nobody looks at another text
		}
		if text, isText := asText(raw); isText {
			return visit(at, v, to, text)
		}
	}
	return nil
}

// references looks up what the body of a call names, when the write is accepted
// and again when it is due. Roles may name the firm itself.
func (t *tx) references(c *call) error {
	ofRoles := slices.Contains(c.route.segments, "roles") || c.has("items")
	return c.eachReference(func(at, to, id string) error {
		if id == ownFirm && ofRoles || strings.HasSuffix(to, "/code") {
			return nil
		}
		err, missing := t.refers(at, to, id), (*problem)(nil)
		if errors.As(err, &missing) && c.route.method != http.MethodPost && t.namedBefore(sameID(id)) {
			return nil // what a change keeps may have been deleted since
		}
		return err
	})
}

// refers reports whether there is the record that a reference names: of one of
// several kinds. One that an earlier write will make is a [pendingError]. A
// deleted one is not there.
func (t *tx) refers(at, to, id string) error {
	kinds, wrong := strings.Split(to, "/"), "no such "
	for i, kind := range kinds {
		of := t.server.state.resource(kind)
		r, err := t.known(of, id, nil)
		switch pending := (*pendingError)(nil); {
		case err == nil && r.deleted && kind != "folders": // a file makes a new one of the same name
			wrong = "a deleted "
		case err == nil || errors.As(err, &pending):
			return err
		}
		kinds[i] = of.name
	}
	return conflict(at, "%s", wrong+strings.Join(kinds, " or "))
}

// namedBefore reports whether one of the records that the write changes held an
// id before.
func (t *tx) namedBefore(id string) bool {
	return slices.ContainsFunc(t.changes, func(c pendingChange) bool {
		old := t.server.state.latest(c.record)
		return old != nil && holds(old.fields, id)
	})
}

// holds reports whether an id stands in the value of a member.
func holds(v any, id string) bool {
	switch v := v.(type) {
	case string:
		return sameID(v) == id
	case ref:
		return sameID(v.id) == id
	case fields:
		return slices.ContainsFunc(slices.Collect(maps.Values(v)), func(one any) bool { return holds(one, id) })
	case rawText:
		return bytes.Contains(bytes.ToLower(v), []byte(`"`+id+`"`))
	default:
		return slices.ContainsFunc(elements(v), func(one any) bool { return holds(one, id) })
	}
}
