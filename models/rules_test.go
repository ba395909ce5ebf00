package models

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

type ruledChild struct{ Code string }

func (x *ruledChild) field(number int) any {
	if number == tableField {
		return &ruledChildTable
	}
	return &x.Code
}

// ruledBody has a member for each kind of rule.
type ruledBody struct {
	Name     string
	Owner    string
	Kind     Opt[EntryType]
	Day      Opt[Date]
	Amount   Decimal
	Minutes  int
	Tags     []string
	Child    ruledChild
	Children []ruledChild
	Later    Opt[[]ruledChild]
	Note     Opt[string]
}

func (x *ruledBody) field(number int) any {
	if number == tableField {
		return &ruledBodyTable
	}
	return []any{
		&x.Name, &x.Owner, &x.Kind, &x.Day, &x.Amount, &x.Minutes, &x.Tags, &x.Child, &x.Children, &x.Later, &x.Note,
	}[number]
}

const someUUID = "5F2D0FA8-8B1C-4A64-9D6B-0E1A4B6F5C7D"

// Tables that must not be modified.
var (
	ruledChildTable = table{names: []string{"code"}, rules: []rule{{member: 0, most: 3}}}
	ruledBodyTable  = table{
		names: []string{
			"name", "owner", "kind", "day", "amount", "minutes", "tags", "child", "children", "later", "note",
		},
		always: []int{0},
		rules: []rule{
			{member: 0, required: true, least: 1, most: 5},
			{member: 1, uuid: true},
			{member: 2, given: true},
			{member: 3, required: true},
			{member: 4, low: "0.01", high: "10"},
			{member: 5, low: "1"},
			{member: 6, most: 2, uuid: true},
			{member: 10, least: 2},
		},
		bodies: []int{7, 8, 9},
	}
)

func TestAFaultOfABodyNamesItsMember(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name         string
		change       func(*ruledBody)
		path, reason string // empty if the body is valid
	}{
		{"everything left out", func(*ruledBody) {}, "", ""},
		{"a required text is empty", func(b *ruledBody) { b.Name = "" }, "name", "must not be empty"},
		{"a text is too long", func(b *ruledBody) { b.Name = "éééééé" }, "name", "must have 1 to 5 characters"},
		{"a text is as long as it may be", func(b *ruledBody) { b.Name = "ééééé" }, "", ""},
		{"no UUID", func(b *ruledBody) { b.Owner = "me" }, "owner", "must be a UUID"},
		{"a UUID in another form", func(b *ruledBody) { b.Owner = "{00000000-0000-0000-0000-000000000000}" }, "owner", "must be a UUID"},
		{"a UUID", func(b *ruledBody) { b.Owner = someUUID }, "", ""},
		{"a value that no constant names", func(b *ruledBody) { b.Kind = Some(EntryType(7)) }, "", ""},
		{"a number that cannot be cleared", func(b *ruledBody) { b.Kind = Null[EntryType]() }, "kind", "must not be null"},
		{"no day", func(b *ruledBody) { b.Day = Some(Date{}) }, "day", "must not be empty: use Null to clear the member"},
		{"too little", func(b *ruledBody) { b.Amount = MustDecimal("0.009") }, "amount", "must be at least 0.01"},
		{"too much", func(b *ruledBody) { b.Amount = MustDecimal("10.01") }, "amount", "must be at most 10"},
		{"the most", func(b *ruledBody) { b.Amount = MustDecimal("10.00") }, "", ""},
		{"a number too small", func(b *ruledBody) { b.Minutes = -1 }, "minutes", "must be at least 1"},
		{"too many", func(b *ruledBody) { b.Tags = []string{someUUID, someUUID, someUUID} }, "tags", "must have 0 to 2 elements"},
		{"a wrong element", func(b *ruledBody) { b.Tags = []string{someUUID, "c"} }, "tags", "has element 1, which must be a UUID"},
		{"a record inside", func(b *ruledBody) { b.Child.Code = "long" }, "child.code", "must have 0 to 3 characters"},
		{"a record in a list", func(b *ruledBody) { b.Children = []ruledChild{{}, {Code: "long"}} }, "children[1].code", "must have 0 to 3 characters"},
		{"a record in an Opt of a list", func(b *ruledBody) { b.Later = Some([]ruledChild{{Code: "long"}}) }, "later[0].code", "must have 0 to 3 characters"},
		{"a text that cannot be cleared", func(b *ruledBody) { b.Note = Null[string]() }, "note", "must not be null"},
		{"a text too short", func(b *ruledBody) { b.Note = Some("n") }, "note", "must have at least 2 characters"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			body := ruledBody{Name: "n"}
			test.change(&body)
			path, reason := firstFault(&body)
			assert.Equal(t, test.path, path)
			assert.Equal(t, test.reason, reason)
		})
	}
}

// TestANullThatClearsNothingIsRefused compares the rule of each member with the
// description, which marks the members that null clears.
func TestANullThatClearsNothingIsRefused(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		body any
		want string // empty if null clears the member
	}{
		"an amount":                     {&FeePatch{Rate: Null[Decimal]()}, "rate must not be null"},
		"an amount that may be cleared": {&FeePatch{Tax: Null[Decimal]()}, ""},
		"a duration":                    {&FeePatch{Duration: Null[int]()}, "duration must not be null"},
		"a flag":                        {&FeePatch{IsBillable: Null[bool]()}, "isBillable must not be null"},
		"a day":                         {&FeePatch{FeeDate: Null[Date]()}, "feeDate must not be null"},
		"a day without a value":         {&FeePatch{FeeDate: Some(Date{})}, "feeDate must not be empty"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path, reason := firstFault(test.body)
			assert.Equal(t, test.want, strings.TrimSpace(path+" "+reason))
		})
	}
}

func TestAListOfBodiesIsJudgedByItsElements(t *testing.T) {
	t.Parallel()
	path, reason := firstFault(&[]ruledChild{{}, {Code: "long"}})
	assert.Equal(t, "[1].code", path)
	assert.Equal(t, "must have 0 to 3 characters", reason)
	path, reason = firstFault(ruledChild{Code: "long"})
	assert.Empty(t, path+reason, "bodies are given by pointers")
}

func firstFault(body any) (path, reason string) {
	for path, reason = range Wire.Faults(body) {
		return path, reason
	}
	return "", ""
}

func TestEveryFaultOfABodyIsNamed(t *testing.T) {
	t.Parallel()
	body := ruledBody{Owner: "me", Minutes: -1, Children: []ruledChild{{Code: "long"}, {}, {Code: "longer"}}}
	var paths []string
	for path := range Wire.Faults(&body) {
		paths = append(paths, path)
	}
	assert.Equal(t, []string{"name", "owner", "minutes", "children[0].code", "children[2].code"}, paths)
}
