package practicetest

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"
)

// value describes the values of a parameter, a member or a list element.
type value struct {
	name               string
	kind               kind
	required, nullable bool
	shortest, longest  int      // number of characters or elements; longest 0 means no limit
	least, most        string   // limits of a number; empty means no limit
	oneOf              []string // values of a closed enumeration
	known              []string // documented values of an open enumeration
	form               string   // regular expression that a string must match
	anyZone            bool     // a date-time may lack the time zone, which then is UTC
	elem               *value   // elements of a list or map
	object             string   // schema of an object; empty if any members are allowed
	to                 string   // kind of the target of an id or link, such as contacts
}

// schema lists the members of an object.
type schema []value

// kind is the type and format of a value.
type kind int

const (
	kindAny kind = iota
	kindText
	kindUUID
	kindInteger
	kindDecimal
	kindBoolean
	kindInstant
	kindDay
	kindDayOrInstant
	kindLocalTime
	kindTicks
	kindTicksOrLocalTime
	kindTextOrInteger
	kindObject
	kindMap
	kindList
)

// fault returns why a JSON value is invalid, or "" if it is valid. A strict
// service does not allow unknown members of objects.
func (v *value) fault(raw json.RawMessage, strict bool) string {
	switch v.kind {
	case kindAny, kindTextOrInteger: // no body has the latter
		return ""
	case kindObject, kindMap:
		return v.objectFault(raw, strict)
	case kindList:
		return v.listFault(raw, strict)
	case kindInteger, kindDecimal, kindBoolean, kindTicks:
		return v.textFault(string(raw))
	default:
		text, isText := asText(raw)
		if !isText {
			return "must be a string"
		}
		if v.kind == kindLocalTime && localForm.MatchString(text) {
			text, _, _ = strings.Cut(text, ".") // fractions of a second are allowed in bodies, not in parameters
		}
		return v.textFault(text)
	}
}

// textFault returns why a value is invalid, or "" if it is valid. text is a
// parameter, the content of a JSON string, or a JSON number or boolean.
func (v *value) textFault(text string) string {
	if wrong := v.formFault(text); wrong != "" {
		return wrong
	}
	if v.oneOf != nil && !slices.Contains(v.oneOf, text) {
		return "must be one of " + strings.Join(v.oneOf, ", ")
	}
	return ""
}

func (v *value) formFault(text string) string {
	switch v.kind {
	case kindText:
		return v.lengthFault(text)
	case kindUUID:
		return unless(isUUID(text), "must be a UUID")
	case kindInteger:
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return "must be an integer"
		}
		return v.rangeFault(strconv.FormatInt(n, 10)) // normalizes 050 and +50 to 50
	case kindDecimal:
		if _, valid := amount(text); !valid {
			return "must be a number"
		}
		return v.rangeFault(text)
	case kindBoolean:
		return unless(text == "true" || text == "false", "must be true or false")
	default:
		return v.timeFault(text)
	}
}

func (v *value) timeFault(text string) string {
	switch v.kind {
	case kindInstant:
		_, valid := dateTime(text)
		return unless(valid && (v.anyZone || !localForm.MatchString(text)), "must be an ISO 8601 date-time")
	case kindDay:
		return unless(isDay(text), "must be a date in the form YYYY-MM-DD")
	case kindDayOrInstant:
		_, valid := dateTime(text)
		return unless(valid || isDay(text), "must be a date or an ISO 8601 date-time")
	case kindTicks:
		return ticksFault(text)
	case kindTicksOrLocalTime:
		if wrong := ticksFault(text); wrong != "" && !isLocalTime(text) {
			return wrong + ", or a time in UTC in the form YYYY-MM-DDThh:mm:ss"
		}
		return ""
	case kindLocalTime:
		return unless(isLocalTime(text), "must be a time in the form YYYY-MM-DDThh:mm:ss, without a time zone")
	default:
		return ""
	}
}

func unless(right bool, wrong string) string {
	if right {
		return ""
	}
	return wrong
}

func (v *value) lengthFault(text string) string {
	n := utf8.RuneCountInString(text)
	switch {
	case n < v.shortest:
		return fmt.Sprintf("must have at least %d character", v.shortest)
	case v.longest > 0 && n > v.longest:
		return fmt.Sprintf("must have at most %d characters", v.longest)
	case v.shortest > 0 && strings.TrimSpace(text) == "":
		return "must not be blank"
	case v.form != "" && !regexp.MustCompile(v.form).MatchString(text):
		return fmt.Sprintf("%q does not match %s", text, v.form)
	}
	return ""
}

// rangeFault returns why a number is out of range, or "" if it is not.
func (v *value) rangeFault(text string) string {
	below := v.least != "" && exact(json.Number(text)).Cmp(exact(json.Number(v.least))) < 0
	above := v.most != "" && exact(json.Number(text)).Cmp(exact(json.Number(v.most))) > 0
	switch {
	case !below && !above:
		return ""
	case v.most == "":
		return "must be at least " + v.least
	case v.least == "":
		return "must be at most " + v.most
	default:
		return "must be between " + v.least + " and " + v.most
	}
}

func (v *value) objectFault(raw json.RawMessage, strict bool) string {
	members, err := parseObject(raw)
	if err != nil {
		return "must be an object"
	}
	if v.object != "" {
		return sentence(schemas[v.object].faults(members, strict))
	}
	if v.elem != nil {
		for _, name := range sortedNames(members) {
			if wrong := v.elem.fault(members[name], strict); wrong != "" {
				return name + ": " + wrong
			}
		}
	}
	return ""
}

func (v *value) listFault(raw json.RawMessage, strict bool) string {
	var items []json.RawMessage
	if err := json.Unmarshal(raw, &items); err != nil || items == nil {
		return "must be an array"
	}
	if v.longest > 0 && len(items) > v.longest {
		return fmt.Sprintf("must have at most %d elements", v.longest)
	}
	for i, item := range items {
		if wrong := v.elem.fault(item, strict); wrong != "" {
			return fmt.Sprintf("element %d: %s", i, wrong)
		}
	}
	return ""
}

// faults returns the faults in the members of an object. A lenient service
// ignores unknown members.
func (s schema) faults(object map[string]json.RawMessage, strict bool) (found []fieldFault) {
	for i := range s {
		m := &s[i]
		raw, there := object[m.name]
		switch {
		case !there && m.required:
			found = append(found, fieldFault{m.name, "NotNull", "is required"})
		case !there:
		case string(raw) == "null":
			if !m.nullable && m.kind != kindAny {
				found = append(found, fieldFault{m.name, "NotNull", "must not be null"})
			}
		default:
			if wrong := m.fault(raw, strict); wrong != "" {
				found = append(found, fieldFault{m.name, "Invalid", wrong})
			}
		}
	}
	for _, name := range sortedNames(object) {
		if strict && !slices.ContainsFunc(s, func(m value) bool { return m.name == name }) {
			found = append(found, fieldFault{name, "Unknown", "is not a member of the object"})
		}
	}
	return found
}

func sentence(faults []fieldFault) string {
	return strings.Join(mapped(faults, func(f fieldFault) string { return f.Field + ": " + f.Message }), "; ")
}

func isUUID(s string) bool { return len(s) == 36 && uuid.Validate(s) == nil }

var (
	localForm = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?$`)
	ticksForm = regexp.MustCompile(`^\d{1,19}$`)
)

// These constants are the .NET ticks of the years 1900 and 2200. A value out of
// this range is probably a count of seconds, milliseconds or nanoseconds since
// 1970.
const (
	oldestTicks = 599266080000000000
	latestTicks = 693937152000000000
)

func ticksFault(text string) string {
	n, err := strconv.ParseInt(text, 10, 64)
	switch {
	case err != nil || !ticksForm.MatchString(text) || n < oldestTicks:
		return "must be a time in .NET ticks, not before 1900"
	case n > latestTicks:
		return "must be a time in .NET ticks, before 2200 (the value may be in nanoseconds since 1970)"
	}
	return ""
}

func isLocalTime(text string) bool {
	_, valid := dateTime(text)
	return valid && len(text) == len("2006-01-02T15:04:05")
}

func isDay(text string) bool {
	_, err := time.Parse(time.DateOnly, text)
	return err == nil
}

// dateTime parses a date-time, or returns false. Without a time zone it is UTC.
func dateTime(s string) (time.Time, bool) {
	for _, layout := range []string{"2006-01-02T15:04:05Z07:00", "2006-01-02T15:04:05"} {
		if t, err := time.Parse(layout, s); err == nil && !strings.Contains(s, ",") {
			return t.UTC(), true
		}
	}
	return time.Time{}, false
}
