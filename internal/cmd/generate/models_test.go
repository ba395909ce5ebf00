package main

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/description"
)

// describe loads a description with one operation. It returns the record Thing
// and takes the body ThingWrite, whose members are given one per line.
func describe(t *testing.T, record, body, more string) *description.Document {
	t.Helper()
	indent := func(members string) string { return strings.ReplaceAll(members, "\n", "\n      ") }
	document, err := description.Load(fstest.MapFS{
		"common.yaml": {Data: []byte("area: Common\ndoc: Common is for tests.\nvalues:\n  Link:\n    doc: is an address.\n    members:\n      href: text, is the address.\n")},
		"things.yaml": {Data: []byte(`area: Things
doc: Things are for tests.
operations:
  changeThing:
    call: POST /things
    method: Change
    doc: Changes a thing.
    body: ThingWrite
    answer: Thing
records:
  Thing:
    doc: is a thing.
    members:
      ` + indent(record) + `
bodies:
  ThingWrite:
    doc: is the body that changes a thing.
    members:
      ` + indent(body) + "\n" + more)},
	})
	require.NoError(t, err)
	return document
}

const anyMember = "name: text, is the name."

func TestMembersBecomeFields(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ record, body, want string }{
		"a text says that it may be empty":   {record: "homeUrl: text, is the page.", want: "// HomeURL is the page. Empty when absent.\n\tHomeURL string `json:\"homeUrl\"`"},
		"a number tells null from zero":      {record: "size: int32, is the size.", want: "// Size is the size. May be absent.\n\tSize Opt[int] `json:\"size\"`"},
		"bytes have 64 bits":                 {record: "size: int64 bytes, is the size.", want: "Size Opt[int64] `json:\"size\"`"},
		"money is exact":                     {record: "price: int64 dollars, is the price.", want: "Price Decimal `json:\"price\"`"},
		"cents are no dollars":               {record: "price: int64 cents, is the price in cents.", want: "Price Cents `json:\"price\"`"},
		"a secret is hidden":                 {record: "key: text secret, is the key.", want: "Key Secret `json:\"key\"`"},
		"the vendor's prefix is no tag":      {record: "vendorId: text prefixed, is an id.", want: "VendorID string `json:\"-\"`"},
		"a deprecated member says so":        {record: "old: text deprecated, is old.", want: "//\n\t// Deprecated: the service will remove it; do not use it.\n\tOld string"},
		"names of members are those of Go":   {record: "a: text, excludes `bId`.\nbId: text, excludes `a`.", want: "// A excludes BID. Empty when absent."},
		"a required member is always sent":   {body: "name: text required, is the name.", want: "// Name is the name. Required.\n\tName string `json:\"name\"`"},
		"another one is left out":            {body: anyMember, want: "// Name is the name. Left out when empty.\n\tName string `json:\"name,omitzero\"`"},
		"an absent amount is not 0":          {body: "price: int64 dollars, is the price.", want: "// Price is the price. Left out when absent; 0 is sent.\n\tPrice Decimal `json:\"price,omitzero\"`"},
		"no and not said differ":             {body: "on: bool, tells whether it is on.", want: "// On tells whether it is on.\n\tOn Opt[bool] `json:\"on,omitzero\"`"},
		"unless no is the default":           {body: "on: bool default false, tells whether it is on.", want: "On bool `json:\"on\"`"},
		"null that clears is told from none": {body: "role: text? clears, is the role.", want: "// Role is the role. May be null.\n\tRole Opt[string] `json:\"role,omitzero\"`"},
		"null that is said is not repeated":  {body: "role: text? clears, is the role; null clears it.", want: "// Role is the role; null clears it.\n\tRole Opt[string]"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if test.record == "" {
				test.record = anyMember
			}
			if test.body == "" {
				test.body = anyMember
			}
			files, err := models(describe(t, test.record, test.body, ""))
			require.NoError(t, err)
			text := string(files["zz_things.go"])
			assert.Contains(t, strings.Join(strings.Fields(text), " "), strings.Join(strings.Fields(test.want), " "), text)
		})
	}
}

// TestWhatCannotBeGeneratedIsNamed checks that the generator reports what it
// cannot generate; an omission would be noticed only by users.
func TestWhatCannotBeGeneratedIsNamed(t *testing.T) {
	t.Parallel()
	many := make([]string, maxMembers)
	for i := range many {
		many[i] = fmt.Sprintf("member%d: text, is one of many.", i)
	}
	for name, test := range map[string]struct{ record, more, want string }{
		"a list of lists":               {"a: list of list of text, holds lists.", "", "Thing.a: a field cannot have the type list of list of text"},
		"a list of anything":            {"a: list of any, holds anything.", "", "Thing.a: a field cannot have the type list of any"},
		"a map of numbers":              {"a: map of int32, holds numbers.", "", "Thing.a: a field cannot have the type map of int32"},
		"a map of maps":                 {"a: map of map of text, holds maps.", "", "Thing.a: a field cannot have the type map of map of text"},
		"an object or a list":           {"a: objectOrList, holds something.", "", "Thing.a: a field cannot have the type objectOrList"},
		"binary data":                   {"a: binary, holds something.", "", "Thing.a: a field cannot have the type binary"},
		"a secret number":               {"a: int32 secret, is secret.", "", "Thing.a: a secret cannot have the type int32"},
		"a name with quotes":            {"'a\"b': text as Quoted, is a name.", "", "must be escaped"},
		"a name beyond ASCII":           {"é: text as Accent, is a name.", "", "must be escaped"},
		"the field for other members":   {"extra: text, is more.", "", "two fields have the name Extra"},
		"a page with a size of its own": {"inner: ThingPage, is a page.", "pages:\n  ThingPage:\n    doc: is a page.\n    of: Thing\n    members:\n      size: int32, is the size.\n", `two members have the name "size"`},
		"more than can be told apart":   {strings.Join(many, "\n"), "", "at most 126 are supported"},
		"a record in itself":            {"inner: Part, is a part.", "values:\n  Part:\n    doc: is a part.\n    members:\n      inner: Part, is a part of the part.\n", "Part contains itself"},
		"records in each other": {
			"inner: Part, is a part.",
			"values:\n  Part:\n    doc: is a part.\n    members:\n      of: Thing, is the whole.\n", "contains itself",
		},
		"one type for different bodies": {
			anyMember,
			"  ThingPut:\n    doc: is a body.\n    go: ThingWrite\n    like: ThingWrite\n    members:\n      name: int32, is a number.\n", "differ in the member name",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			body := anyMember
			if strings.HasPrefix(test.more, "  ThingPut") {
				body += "\nother: ThingPut, is another one."
			}
			_, err := models(describe(t, test.record, body, test.more))
			require.ErrorContains(t, err, test.want)
			assert.Contains(t, err.Error(), "things.yaml:", "where to look")
		})
	}
}

func TestARecordMayHoldAListOfItself(t *testing.T) {
	t.Parallel()
	_, err := models(describe(t, "parts: list of Thing, holds the parts.", anyMember, ""))
	require.NoError(t, err)
}

func TestTheSameDescriptionGivesTheSameText(t *testing.T) {
	t.Parallel()
	document := describe(t, "a: text, is a text.\nvendorId: text prefixed, is an id.", anyMember, "")
	first, err := models(document)
	require.NoError(t, err)
	second, err := models(document)
	require.NoError(t, err)
	assert.Equal(t, first, second)
}
