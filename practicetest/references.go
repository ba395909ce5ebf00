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

// A reference is a parameter or member that holds the id of another record. The
// API description names the kinds of its target, so the same checks work for
// all operations.

// maxCode is the maximum length of an activity code.
const maxCode = 20

// couldName reports whether id may identify a record of the target kind: it has
// the right format, or a test has chosen it for such a record.
func (st *state) couldName(to, id string) bool {
	kind, code, _ := strings.Cut(to, "/")
	switch of := st.resource(kind); {
	case code == "code":
		return len(id) <= maxCode // the service may have codes that are not records of the firm
	case of.form != nil:
		return of.form(id) || st.slot(of, id) != nil
	default:
		return isUUID(id) || st.slot(of, id) != nil
	}
}

// mustName returns the message for a text that cannot be an id of the target.
func (st *state) mustName(to string) string {
	if strings.HasSuffix(to, "/code") {
		return "must have at most " + strconv.Itoa(maxCode) + " characters: it is a code, not an id"
	}
	names := mapped(strings.Split(to, "/"), func(kind string) string { return st.resource(kind).name })
	return "must be a valid " + strings.Join(names, " or ") + " id"
}

// checkReferences refuses texts that cannot be ids of the target in any state
// of the service, such as numbers or names. A lenient service skips this check;
// the lookup then fails.
func (s *Server) checkReferences(_ *http.Request, c *call) error {
	if !s.strict.on {
		return nil
	}
	var bad []fieldFault
	judge := func(at, to, id string) error {
		if !s.state.couldName(to, id) {
			bad = append(bad, fieldFault{at, "Invalid", s.state.mustName(to)})
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

// isNamed refuses a text that cannot be an id of the target. It checks the
// members for which the API description does not name one target.
func (t *tx) isNamed(at, to, id string) error {
	if id == "" || t.server.state.couldName(to, id) {
		return nil
	}
	return faulty(at, "%s", t.server.state.mustName(to))
}

// eachReference calls visit for each reference in the body until it returns an
// error. at is the path of the member in the body; to names the kinds of the
// target. It skips empty strings, except in lists, where they are invalid ids.
func (c *call) eachReference(visit func(at, to, id string) error) error {
	return c.eachText(func(at string, _ *value, to, id string) error {
		if to == "" || id == "" && !strings.HasSuffix(at, "]") {
			return nil
		}
		return visit(at, to, id)
	})
}

// textVisitor is called with a string in a body. at is its path, v its
// description, and to the target if it is a reference.
type textVisitor func(at string, v *value, to, text string) error

// eachText calls visit for the strings in the body until it returns an error.
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

// textsBelow calls visit for the strings in a value, including those in lists
// and objects.
func textsBelow(v *value, to string, raw json.RawMessage, at string, visit textVisitor) error {
	switch v.kind {
	case kindObject:
		members, _ := parseObject(raw) // cannot fail: the schema check has passed
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
			return nil // visitors need only references and strings with known values
		}
		if text, isText := asText(raw); isText {
			return visit(at, v, to, text)
		}
	}
	return nil
}

// references looks up the references in a body. It runs when the write is
// accepted and again when it is due. Roles may also refer to the firm itself.
func (t *tx) references(c *call) error {
	ofRoles := slices.Contains(c.route.segments, "roles") || c.has("items")
	return c.eachReference(func(at, to, id string) error {
		if id == ownFirm && ofRoles || strings.HasSuffix(to, "/code") {
			return nil
		}
		err, missing := t.refers(at, to, id), (*problem)(nil)
		if errors.As(err, &missing) && c.route.method != http.MethodPost && t.namedBefore(sameID(id)) {
			return nil // an unchanged reference may point to a record that was deleted since
		}
		return err
	})
}

// refers requires the target of a reference to exist as one of the kinds in to.
// It returns a [pendingError] if a pending write will create the target. A
// deleted record counts as missing.
func (t *tx) refers(at, to, id string) error {
	kinds, wrong := strings.Split(to, "/"), "no such "
	for i, kind := range kinds {
		of := t.server.state.resource(kind)
		r, err := t.known(of, id, nil)
		switch pending := (*pendingError)(nil); {
		case err == nil && r.deleted && kind != "folders": // a new file in a deleted folder creates a new folder with the same name
			wrong = "a deleted "
		case err == nil || errors.As(err, &pending):
			return err
		}
		kinds[i] = of.name
	}
	return conflict(at, "%s", wrong+strings.Join(kinds, " or "))
}

// namedBefore reports whether the committed state of a record that the write
// changes contained the id.
func (t *tx) namedBefore(id string) bool {
	return slices.ContainsFunc(t.changes, func(c pendingChange) bool {
		old := t.server.state.latest(c.record)
		return old != nil && holds(old.fields, id)
	})
}

// holds reports whether the value of a member contains the id.
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
