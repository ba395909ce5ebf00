package description_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/practicesdk/practice-go/internal/description"
)

// judge compares JSON values with the description, and records the members that
// it has seen.
type judge struct {
	sent   bool
	faults []string
	seen   map[string]bool // keys have the form Schema.member
}

func (j *judge) fault(at, format string, arguments ...any) {
	j.faults = append(j.faults, at+": "+fmt.Sprintf(format, arguments...))
}

// value checks a value against a type; the caller checks null.
func (j *judge) value(at string, t *description.Type, r description.Rules, value any) {
	switch t.Kind {
	case description.List:
		elements, is := value.([]any)
		if !is || r.MaxItems != nil && len(elements) > *r.MaxItems {
			j.fault(at, "%v is no %s within its bounds", value, t)
		}
		inner := description.Rules{Pattern: r.Pattern, Only: r.Only, Closed: r.Closed}
		for i, element := range elements {
			j.value(fmt.Sprintf("%s[%d]", at, i), t.Elem, inner, element)
		}
	case description.Map:
		members, is := value.(map[string]any)
		if !is {
			j.fault(at, "%v is no %s", value, t)
		}
		for name, member := range members {
			if member != nil {
				j.value(at+"."+name, t.Elem, description.Rules{}, member)
			}
		}
	case description.Ref:
		j.object(at, t.Ref, value)
	case description.Any:
	case description.Object:
		if _, is := value.(map[string]any); !is {
			j.fault(at, "%v is no object", value)
		}
	case description.Boolean:
		if _, is := value.(bool); !is {
			j.fault(at, "%v is no %s", value, t)
		}
	case description.Integer, description.Ticks, description.Decimal, description.EnumNumber:
		j.number(at, t, r, value)
	default:
		j.text(at, t, r, value)
	}
}

func (j *judge) object(at string, s *description.Schema, value any) {
	members, is := value.(map[string]any)
	if !is {
		j.fault(at, "%v is no %s", value, s.Name)
		return
	}
	for name, member := range members {
		m := s.Member(name)
		switch {
		case m == nil && !j.sent && (slices.Contains(linkMembers, name) || extra[s.Name+"."+name] != ""):
		case m == nil:
			j.fault(at, "%s has no member %q", s.Name, name)
		case member == nil && !m.Nullable:
			j.fault(at, "%s.%s is null", s.Name, name)
		case member == nil:
		default:
			j.seen[s.Name+"."+name] = true
			j.value(at+"."+name, m.Type, m.Rules, member)
		}
	}
	for _, m := range s.Members {
		if _, is := members[m.Name]; m.Required && !is {
			j.fault(at, "%s.%s is required", s.Name, m.Name)
		}
	}
}

// linkMembers may occur in every record that is read.
var linkMembers = []string{"href", "relation", "rel", "method", "self"}

// extra lists members of samples that are not described, with the reason. A
// response may always have others.
var extra = map[string]string{
	"FolderListing.id":       "always null",
	"Notification.requestId": "a member that clients do not know",
	"MatterBalance.id":       "sparse records have an id where the service declares none",
	"SubscriptionChange.id":  "sparse records have an id where the service declares none",
	"UsageProduct.amount":    "a member that clients do not know",
}

func (j *judge) number(at string, t *description.Type, r description.Rules, value any) {
	number, is := value.(json.Number)
	if !is {
		j.fault(at, "%v is no %s", value, t)
		return
	}
	if _, err := number.Int64(); err != nil && t.Kind != description.Decimal {
		j.fault(at, "%s is no whole number", number)
	}
	float, err := number.Float64()
	if err != nil {
		j.fault(at, "%s: %s", number, err)
	}
	if r.Minimum != nil && float < bound(*r.Minimum) || r.Maximum != nil && float > bound(*r.Maximum) {
		j.fault(at, "%s is out of range", number)
	}
	j.known(at, t, r, number.String())
}

func bound(text string) float64 {
	float, err := json.Number(text).Float64()
	if err != nil {
		panic(err)
	}
	return float
}

// forms holds the patterns of texts. A clock time may have a zone.
var forms = map[description.Kind]*regexp.Regexp{
	description.UUID:         regexp.MustCompile(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`),
	description.Instant:      regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$`),
	description.LocalTime:    regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?$`),
	description.Day:          regexp.MustCompile(`^\d{4}-\d\d-\d\d$`),
	description.DayOrInstant: regexp.MustCompile(`^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)?)?$`),
}

// readForms holds the wider patterns for responses: a day may have a time after
// it, which is ignored, and an instant may lack a zone.
var readForms = map[description.Kind]*regexp.Regexp{
	description.Instant:   regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)?$`),
	description.LocalTime: regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)?$`),
	description.Day:       forms[description.DayOrInstant],
}

func (j *judge) text(at string, t *description.Type, r description.Rules, value any) {
	text, is := value.(string)
	if !is {
		if t.Kind != description.TextOrInteger {
			j.fault(at, "%v is no %s", value, t)
		}
		return
	}
	form := forms[t.Kind]
	if wider := readForms[t.Kind]; wider != nil && (!j.sent || r.AnyZone) {
		form = wider
	}
	if form != nil && !form.MatchString(text) {
		j.fault(at, "%q is no %s", text, t)
	}
	if r.Pattern != "" && !regexp.MustCompile(r.Pattern).MatchString(text) {
		j.fault(at, "%q does not match %s", text, r.Pattern)
	}
	length := utf8.RuneCountInString(text)
	if r.MinLength != nil && length < *r.MinLength || r.MaxLength != nil && length > *r.MaxLength {
		j.fault(at, "%q has the wrong length", text)
	}
	j.known(at, t, r, text)
}

// known refuses values that a closed enumeration does not have.
func (j *judge) known(at string, t *description.Type, r description.Rules, value string) {
	if t.Enum == nil || !r.Closed && (!j.sent || t.Enum.Open) {
		return
	}
	if len(r.Only) > 0 && !slices.Contains(r.Only, value) ||
		!slices.ContainsFunc(t.Enum.Values, func(v description.EnumValue) bool { return v.Value == value }) {
		j.fault(at, "%s has no value %s", t.Enum.Name, value)
	}
}

// answer checks the response of an operation in any of its forms.
func (j *judge) answer(o *description.Operation, value any) {
	if o.Paging == nil {
		j.value(o.ID, o.Answer, description.Rules{}, value)
		return
	}
	elements, isArray := value.([]any)
	object, _ := value.(map[string]any)
	switch list, isList := object["value"]; {
	case isArray && slices.Contains(o.Paging.Shapes, "array"):
	case isList && (slices.Contains(o.Paging.Shapes, "page") || slices.Contains(o.Paging.Shapes, "collection")):
		elements = j.envelope(o, object, list)
	case !isArray && !isList && slices.Contains(o.Paging.Shapes, "record"):
		elements = []any{value}
	default:
		j.fault(o.ID, "the answer has none of the shapes %v", o.Paging.Shapes)
	}
	for i, element := range elements {
		t := o.Answer
		if t.Ref != nil && t.Ref.Kind == description.Page {
			t = &description.Type{Kind: description.Ref, Ref: t.Ref.Elem}
		}
		if element != nil {
			j.value(fmt.Sprintf("%s[%d]", o.ID, i), t, description.Rules{}, element)
		}
	}
}

// envelope returns the list of a page. It checks that the other members are
// those of every page, or of the page's schema.
func (j *judge) envelope(o *description.Operation, page map[string]any, value any) []any {
	known := strings.Fields("id href relation method self value offset limit size first previous next last")
	for name, member := range page {
		if slices.Contains(known, name) {
			continue
		}
		if s := o.Answer.Ref; s != nil && s.Kind == description.Page && s.Member(name) != nil {
			j.seen[s.Name+"."+name] = j.seen[s.Name+"."+name] || member != nil
			continue
		}
		j.fault(o.ID, "a page has no member %q", name)
	}
	elements, isArray := value.([]any)
	if !isArray && value != nil {
		j.fault(o.ID, "the value of a page is no list")
	}
	return elements
}
