package conversion

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// Change holds two bodies. Comparing them shows what the caller changed.
type Change struct {
	From   *Table
	Before any // body that keeps the record, without objects in which no member is known
	After  any // body after the changes of the caller
}

// Parse decodes JSON and keeps numbers as json.Number.
func Parse(text []byte) (value any) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	_ = d.Decode(&value) // package codec wrote the text, so it is valid
	return value
}

// Cleared returns the names of members that the body would clear without a
// decision of the caller. It includes unknown members, which may be state or
// only for display: an error can be corrected, lost data cannot.
func (c Change) Cleared(members []Member, allowed []string) (lost []string) {
	told, given := map[string]bool{}, map[Member]bool{}
	for _, name := range allowed {
		told[name] = true
	}
	for _, member := range members {
		name := member.String()
		if told[name] {
			continue
		}
		told[name] = true
		if member.unknown { // an unknown member counts as part of its object
			member.name = ""
		}
		decision, known := given[member]
		if !known {
			decision = decided([]any{c.Before}, c.After, member.path())
			given[member] = decision
		}
		if !decision {
			lost = append(lost, name)
		}
	}
	return lost
}

// decided reports whether the caller decided about a member: the member is set,
// or its parent was in the body before and was removed. In a list, this must
// hold for every element, compared with every element before, because elements
// may have moved.
func decided(before []any, after any, path []string) bool {
	switch after := after.(type) {
	case []any:
		within := valuesOf(before)
		return !slices.ContainsFunc(after, func(element any) bool { return !decided(within, element, path) })
	case map[string]any:
		value, there := after[path[0]]
		within, all := membersOf(before, path[0])
		if !there {
			return len(path) > 1 && all
		}
		return len(path) == 1 || decided(within, value, path[1:])
	}
	return true // the caller cleared the whole object
}

// valuesOf flattens lists into their elements and returns all other values
// unchanged.
func valuesOf(values []any) (all []any) {
	for _, value := range values {
		if list, is := value.([]any); is {
			all = append(all, list...)
		} else {
			all = append(all, value)
		}
	}
	return all
}

// membersOf returns the members with a name, and whether every object has one.
func membersOf(objects []any, name string) (members []any, all bool) {
	for _, object := range objects {
		of, _ := object.(map[string]any)
		if value, there := of[name]; there {
			members = append(members, value)
		}
	}
	return members, len(members) == len(objects)
}

// TookOver reports whether a member of the body is unchanged from the record.
func (c Change) TookOver(member string) bool {
	return c.From.Has(member) && sameJSON(at(c.Before, member), at(c.After, member))
}

// steps splits a path such as "items[2].name" into names, without the indexes.
func steps(path string) (names []string) {
	for name := range strings.SplitSeq(path, ".") {
		name, _, _ = strings.Cut(name, "[")
		names = append(names, name)
	}
	return names
}

// at returns the part of a value at a path such as "items[2].name", or nil if
// there is none.
func at(value any, path string) any {
	for step := range strings.FieldsFuncSeq(path, func(r rune) bool { return r == '.' || r == '[' || r == ']' }) {
		switch of := value.(type) {
		case map[string]any:
			value = of[step]
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i >= len(of) {
				return nil
			}
			value = of[i]
		default:
			return nil
		}
	}
	return value
}

func sameJSON(a, b any) bool {
	one, err := json.Marshal(a)
	other, unwritable := json.Marshal(b)
	return err == nil && unwritable == nil && bytes.Equal(one, other)
}
