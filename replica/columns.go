package replica

import (
	"encoding/json"
	"math/big"
	"reflect"
	"strings"
	"unicode"

	"github.com/practicesdk/practice-go/models"
)

// column is a column of the table of a kind, which is made of a member.
type column struct {
	name string
	form form
	of   func(members map[string]any) any // nil: no value
}

// columnsOf returns the columns for the members of a kind that are no objects:
// texts, numbers, times, and the ids of links. Several members may have one
// column, of which the first value counts: an older member has the id of a link
// as a text.
func columnsOf(k *kind) []column {
	var all []column
	for _, field := range reflect.VisibleFields(reflect.TypeOf(k.listing.NewAnswer()).Elem()) {
		member, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if member == "" || member == "-" || field.Anonymous || len(field.Index) > 1 || member == "id" {
			continue
		}
		for _, c := range columnsFor(member, field.Type) {
			all = merged(all, c)
		}
	}
	if _, named := k.listing.NewAnswer().(interface{ Name() string }); named {
		all = merged(all, column{name: "name", of: func(members map[string]any) any { return scalar(members["name"]) }})
	}
	if k.below != "" && k.key == "id" {
		all = merged(all, column{name: k.parentColumn()})
	}
	return all
}

// secretsOf returns the members of a kind that are secrets.
func secretsOf(k *kind) (all []string) {
	for _, field := range reflect.VisibleFields(reflect.TypeOf(k.listing.NewAnswer()).Elem()) {
		if field.Type == reflect.TypeFor[models.Secret]() {
			member, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			all = append(all, member)
		}
	}
	return all
}

// merged adds a column, or its value where an earlier one of its name has none.
func merged(all []column, c column) []column {
	for i, earlier := range all {
		if earlier.name != c.name {
			continue
		}
		if earlier.of != nil && c.of != nil {
			all[i].of = func(members map[string]any) any {
				if value := earlier.of(members); value != nil {
					return value
				}
				return c.of(members)
			}
		}
		return all
	}
	return append(all, c)
}

func columnsFor(member string, t reflect.Type) []column {
	name := snake(member)
	plain := column{name: name, of: func(members map[string]any) any { return scalar(members[member]) }}
	if t.Kind() == reflect.Struct && strings.HasPrefix(t.Name(), "Opt[") {
		if plain.form = formOf(t); plain.form != asText {
			plain.of = func(members map[string]any) any { return number(members[member]) }
		}
		return []column{plain}
	}
	switch t {
	case reflect.TypeFor[models.Secret]():
		return nil
	case reflect.TypeFor[models.Link]():
		return []column{{name: strings.TrimSuffix(name, "_id") + "_id", of: func(members map[string]any) any { return linkID(members[member]) }}}
	case reflect.TypeFor[[]models.Link]():
		return []column{{name: strings.TrimSuffix(name, "s") + "_ids", of: func(members map[string]any) any { return linkIDs(members[member]) }}}
	case reflect.TypeFor[models.Decimal]():
		plain.of = func(members map[string]any) any { return digits(members[member]) }
		plain.form = asAmount
		exact := column{name: name + "_e4", form: asExact, of: func(members map[string]any) any { return tenThousandths(members[member]) }}
		return []column{plain, exact}
	case reflect.TypeFor[models.Ticks]():
		plain.form, plain.of = asTime, func(members map[string]any) any { return timeOf(members[member]) }
		return []column{plain}
	case reflect.TypeFor[models.DateTime](), reflect.TypeFor[models.LocalDateTime](), reflect.TypeFor[models.Date]():
		return []column{plain}
	}
	if t.Kind() == reflect.String && isID(member) {
		plain.of = func(members map[string]any) any {
			text, _ := members[member].(string)
			return nilIfEmpty(strings.ToLower(text))
		}
		return []column{plain}
	}
	if t.Kind() == reflect.String {
		return []column{plain}
	}
	return nil // it is in the JSON text
}

// formOf returns the form of an Opt.
func formOf(t reflect.Type) form {
	get, _ := t.MethodByName("Get")
	switch of := get.Type.Out(0).Kind(); {
	case of == reflect.Bool:
		return asBool
	case of >= reflect.Int && of <= reflect.Uint64:
		return asInteger
	}
	return asText
}

// scalar returns a text for SQL.
func scalar(value any) any {
	switch value := value.(type) {
	case string:
		return nilIfEmpty(value)
	case json.Number:
		return value.String()
	}
	return nil
}

// number returns a bool or a whole number for SQL.
func number(value any) any {
	switch value := value.(type) {
	case bool:
		return value
	case json.Number:
		if whole, err := value.Int64(); err == nil {
			return whole
		}
	}
	return nil
}

// digits returns a number as the service wrote it.
func digits(value any) any {
	number, _ := value.(json.Number)
	return nilIfEmpty(number.String())
}

func nilIfEmpty(text string) any {
	if text == "" {
		return nil
	}
	return text
}

func linkID(value any) any {
	link, _ := value.(map[string]any)
	return nilIfEmpty(strings.ToLower(linked(link)))
}

// linkIDs returns the ids of several links as a JSON list.
func linkIDs(value any) any {
	links, _ := value.([]any)
	ids := []any{}
	for _, link := range links {
		if id := linkID(link); id != nil {
			ids = append(ids, id)
		}
	}
	text, _ := json.Marshal(ids) // texts can be written
	return string(text)
}

// tenThousandths returns an amount as a whole number of ten-thousandths, or nil
// if that is not exact.
func tenThousandths(value any) any {
	number, _ := value.(json.Number)
	amount, ok := new(big.Rat).SetString(number.String())
	if !ok {
		return nil
	}
	amount.Mul(amount, big.NewRat(10_000, 1))
	if !amount.IsInt() || !amount.Num().IsInt64() {
		return nil
	}
	return amount.Num().Int64()
}

// timeOf returns ticks as a time in UTC, in a form whose order is that of the
// times.
func timeOf(value any) any {
	number, _ := value.(json.Number)
	ticks, err := models.ParseTicks(number.String())
	if err != nil || ticks.IsZero() {
		return nil
	}
	return ticks.Time().UTC().Format("2006-01-02T15:04:05.0000000Z")
}

// snake returns a member in the form of names in SQL: matter_id for matterId.
func snake(member string) string {
	var b strings.Builder
	previous := 'A'
	for _, r := range member {
		if unicode.IsUpper(r) && !unicode.IsUpper(previous) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
		previous = r
	}
	return b.String()
}
