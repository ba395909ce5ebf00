package fuzztest

import (
	"math/big"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/practicesdk/practice-go/models"
)

// member is a field that is encoded as JSON.
type member struct {
	name    string
	index   []int
	typ     reflect.Type
	isolate bool
}

// membersOf returns the members of a record, including those of embedded
// structs.
func membersOf(t reflect.Type) []member {
	var members []member
	for _, field := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name != "" && name != "-" {
			members = append(members, member{name, field.Index, field.Type, isolates(t, name)})
		}
	}
	return members
}

// isolates reports whether a fault in an element of the list skips only that
// element, as in pages and in the listing of a folder.
func isolates(t reflect.Type, name string) bool {
	_, page := t.FieldByName("Paging")
	return page && name == "value" || t == reflect.TypeFor[models.FolderListing]() && (name == "folders" || name == "files")
}

func memberNamed(members []member, name string) (member, bool) {
	i := slices.IndexFunc(members, func(m member) bool { return m.name == name })
	if i < 0 {
		return member{}, false
	}
	return members[i], true
}

// isOpt reports whether the type is an Opt, and returns its element type.
func isOpt(t reflect.Type) (reflect.Type, bool) {
	if !strings.HasPrefix(t.Name(), "Opt[") {
		return nil, false
	}
	get, _ := t.MethodByName("Get")
	return get.Type.Out(0), true
}

var (
	decimalType = reflect.TypeFor[models.Decimal]()
	centsType   = reflect.TypeFor[models.Cents]()
	ticksType   = reflect.TypeFor[models.Ticks]()
	dateType    = reflect.TypeFor[models.Date]()
	timeType    = reflect.TypeFor[models.DateTime]()
	localType   = reflect.TypeFor[models.LocalDateTime]()
	objectType  = reflect.TypeFor[models.Object]()
	freeType    = reflect.TypeFor[models.FreeValue]()
	secretType  = reflect.TypeFor[models.Secret]()
	codeType    = reflect.TypeFor[models.CalendarEventCode]()
)

// fits reports whether the value can be decoded into the type. It applies the
// documented rules independently of the library's code.
func fits(n *node, t reflect.Type) bool {
	if elem, ok := isOpt(t); ok {
		return n.kind == 'n' || fits(n, elem)
	}
	if n.kind == 'n' {
		return true
	}
	switch t {
	case decimalType, centsType:
		return n.kind == '0' && isDecimal(n.text)
	case codeType:
		return n.isNothing() || n.kind == '"' || isInt(n, 64)
	case ticksType:
		ticks, ok := wholeNumber(n.text)
		return n.isNothing() || (n.kind == '0' || n.kind == '"') && ok && ticks >= 0 && ticks <= 3155378975999999999
	case dateType:
		return n.isNothing() || n.kind == '"' && (isDay(n.text) || isTime(n.text))
	case timeType, localType:
		return n.isNothing() || n.kind == '"' && isTime(n.text)
	case objectType:
		return n.kind == '{'
	case freeType:
		return true
	case secretType:
		return n.isNothing() || n.kind == '"'
	}
	switch t.Kind() {
	case reflect.String:
		return n.isNothing() || n.kind == '"'
	case reflect.Int, reflect.Int64:
		return isInt(n, t.Bits())
	case reflect.Bool:
		return n.kind == 't' || n.kind == 'f'
	case reflect.Slice:
		return n.isNothing() || fitsList(n, t)
	case reflect.Map:
		return n.kind == '{' && !slices.ContainsFunc(n.members, func(e *node) bool { return !fits(e, t.Elem()) })
	default:
		return fitsRecord(n, t)
	}
}

func fitsList(n *node, t reflect.Type) bool {
	return n.kind == '[' && !slices.ContainsFunc(n.members, func(e *node) bool { return !fits(e, t.Elem()) })
}

// fitsAlone reports whether the value can be decoded as an isolated element,
// which must not be null.
func fitsAlone(n *node, t reflect.Type) bool { return n.kind != 'n' && fits(n, t) }

func fitsRecord(n *node, t reflect.Type) bool {
	members := membersOf(t)
	if value, ok := memberNamed(members, "value"); ok && value.isolate && n.kind == '[' {
		return true
	}
	if n.kind != '{' {
		return false
	}
	_, related := memberNamed(members, "relation")
	for i, name := range n.names {
		m, ok := memberNamed(members, name)
		switch value := n.members[i]; {
		case ok && m.isolate:
			if !value.isNothing() && value.kind != '[' {
				return false
			}
		case ok && !fits(value, m.typ):
			return false
		case name == "rel" && related && !fits(value, reflect.TypeFor[string]()):
			return false
		}
	}
	return true
}

// faultsOf counts the isolated elements in a fitting value that do not fit
// themselves.
func faultsOf(n *node, t reflect.Type) int {
	if t.Kind() != reflect.Struct || !isRecord(t) {
		return 0
	}
	faults := 0
	for _, m := range membersOf(t) {
		value := n.member(m.name)
		if n.kind == '[' && m.name == "value" {
			value = n
		}
		switch {
		case value == nil:
		case m.isolate:
			for _, element := range value.members {
				if value.kind == '[' && !fitsAlone(element, m.typ.Elem()) {
					faults++
				} else if value.kind == '[' {
					faults += faultsOf(element, m.typ.Elem())
				}
			}
		default:
			faults += faultsOf(value, m.typ)
		}
	}
	return faults
}

func isRecord(t reflect.Type) bool { return len(membersOf(t)) > 0 }

func isInt(n *node, bits int) bool {
	value, ok := wholeNumber(n.text)
	return n.kind == '0' && ok && (bits == 64 || int64(int32(value)) == value)
}

var numberForm = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$`)

// rational returns the exact value of a JSON number. It returns false for huge
// exponents; such a number is zero or fits nowhere.
func rational(text string) (*big.Rat, bool) {
	if !numberForm.MatchString(text) {
		return nil, false
	}
	mantissa, exponent, _ := strings.Cut(strings.ToLower(text), "e")
	if strings.Trim(mantissa, "-0.") == "" {
		return new(big.Rat), true
	}
	if len(strings.TrimLeft(exponent, "+-0")) > 4 {
		return nil, false
	}
	return new(big.Rat).SetString(text)
}

func wholeNumber(text string) (int64, bool) {
	value, ok := rational(text)
	if !ok || !value.IsInt() || !value.Num().IsInt64() {
		return 0, false
	}
	return value.Num().Int64(), true
}

// isDecimal reports whether a number has at most 64 digits and lies within the
// range of a float64. A text longer than any decimal is refused unread, unless
// it is in the usual form with up to 19 digits.
func isDecimal(text string) bool {
	value, ok := rational(text)
	if !ok || value.Sign() == 0 {
		return ok
	}
	mantissa, exponent, _ := strings.Cut(strings.ToLower(strings.TrimPrefix(text, "-")), "e")
	whole, fraction, _ := strings.Cut(mantissa, ".")
	shift, _ := new(big.Int).SetString(strings.TrimPrefix("0"+exponent, "0+"), 10)
	if strings.HasPrefix(exponent, "-") {
		shift, _ = new(big.Int).SetString(exponent, 10)
	}
	scale := int64(len(fraction)) - shift.Int64()
	digits := int64(len(strings.TrimLeft(whole+fraction, "0")))
	if scale < 0 && digits-scale <= 64 {
		digits, scale = digits-scale, 0
	}
	if digits <= 19 && scale >= 0 && scale <= 19 {
		return true
	}
	return len(text) <= 700 && digits <= 64 && scale <= 350 && digits-scale <= 350
}

var timeForm = regexp.MustCompile(`^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)?$`)

func isTime(text string) bool {
	parts := timeForm.FindStringSubmatch(text)
	return parts != nil && isDay(parts[1])
}

func isDay(text string) bool {
	day, err := time.Parse(time.DateOnly, text)
	return err == nil && len(text) == 10 && day.Year() > 0
}
