package description_test

import (
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/practicesdk/practice-go/internal/description"
)

// small is a valid description.
const small = `area: Fees
doc: Fees are work on a matter.
scope: fees
parameters:
  matterId: uuid, is the id of the matter.
operations:
  listFees:
    call: GET /matters/{matterId}/fees
    method: List
    doc: Returns one page of the fees of a matter. Deleted ones are among them.
    query:
      Type: list of FeeType, lists only fees of this type.
    answer: page of Fee
    since: UpdatedSince ticks
    errors: 400, 500 without body
  updateFees:
    call: PUT /matters/{matterId}/fees
    method: Update
    doc: Replaces the fees.
    body: list of FeeWrite
    answer: object
    grant: user 403 with matterId=0
    errors: 403
    events: fee.updated
    flags: money, late
records:
  Fee:
    doc: is work on a matter.
    members:
      feeType: FeeType, says how the fee is reckoned.
      rate: decimal dollars, is in dollars; see ` + "`feeType`" + `.
      subject: text! always, is a short description.
bodies:
  FeeWrite:
    doc: is a fee in a request.
    like: Fee
    members:
      feeType: FeeType
      rate: decimal? dollars
      subject: text required 1..20
enums:
  FeeType:
    type: number
    doc: says how a fee is reckoned.
    values:
      0 Fixed: a fixed amount
      1 Time: by duration
`

func loadText(text string) (*description.Document, error) {
	return description.Load(fstest.MapFS{"fees.yaml": {Data: []byte(text)}})
}

func TestASmallDescriptionIsRead(t *testing.T) {
	t.Parallel()
	document, err := loadText(small)
	require.NoError(t, err)

	list, update := document.Areas[0].Operations[0], document.Areas[0].Operations[1]
	assert.Equal(t, "Returns one page of the fees of a matter.", list.Summary)
	assert.Equal(t, []string{"read", "idempotentWrite"}, []string{list.Class, update.Class})
	assert.Equal(t, []int{200, 202}, []int{list.Status, update.Status})
	assert.Equal(t, []string{"fees/read", "fees/write"}, []string{list.Scope, update.Scope})
	assert.Equal(t, []description.Error{{Status: 400}, {Status: 500, NoBody: true}}, list.Errors)
	assert.Nil(t, list.Grant)
	assert.Equal(t, &description.Grant{Needs: description.ActingUser, Refusal: 403, Parameter: "matterId", Value: "0"}, update.Grant)
	assert.Equal(t, []bool{false, true}, []bool{list.Replaces, update.Replaces})
	assert.Equal(t, []bool{false, true}, []bool{list.Async, update.Async})
	assert.True(t, update.Money && update.Late && update.Body.List && update.Body.Required)
	assert.Equal(t, "offset", list.Paging.Style)
	assert.Equal(t, []description.ChangeFilter{{Name: "UpdatedSince", Kind: "ticks"}}, list.Paging.Since)

	fee, write := document.Schemas["Fee"], document.Schemas["FeeWrite"]
	assert.True(t, fee.Member("rate").Nullable, "what is read may be null")
	assert.False(t, fee.Member("subject").Nullable, "unless it is marked")
	assert.True(t, write.Member("rate").Nullable, "what is sent may be null when it is marked")
	assert.False(t, write.Member("feeType").Nullable, "and only then")
	assert.Equal(t, "is a short description.", write.Member("subject").Doc, "a body has the sentences of its record")
	assert.Equal(t, 20, *write.Member("subject").MaxLength)
	assert.Equal(t, description.EnumNumber, write.Member("feeType").Type.Kind)
}

// TestRefusalsWithoutABodyHaveNoContent checks these refusals in the joined
// document.
func TestRefusalsWithoutABodyHaveNoContent(t *testing.T) {
	t.Parallel()
	document, err := loadText(small)
	require.NoError(t, err)
	text, err := document.OpenAPI()
	require.NoError(t, err)
	var joined struct {
		Paths map[string]map[string]struct {
			Responses map[string]struct {
				Ref     string `yaml:"$ref"`
				Content any
			}
		}
	}
	require.NoError(t, yaml.Unmarshal(text, &joined))
	responses := joined.Paths["/matters/{matterId}/fees"]["get"].Responses
	assert.Equal(t, "#/components/responses/E400", responses["400"].Ref)
	assert.Empty(t, responses["500"].Ref)
	assert.Nil(t, responses["500"].Content)
}

// TestWhatIdentifiesARecordIsMarked checks the marks of a record and of a page
// in the joined document.
func TestWhatIdentifiesARecordIsMarked(t *testing.T) {
	t.Parallel()
	document, err := loadText(small)
	require.NoError(t, err)
	text, err := document.OpenAPI()
	require.NoError(t, err)
	var joined struct {
		Components struct {
			Schemas map[string]struct {
				Always []string `yaml:"x-always"`
			}
		}
	}
	require.NoError(t, yaml.Unmarshal(text, &joined))
	assert.Equal(t, []string{"href", "method", "subject"}, joined.Components.Schemas["Fee"].Always)
	assert.Empty(t, joined.Components.Schemas["FeeWrite"].Always)
	assert.Equal(t, []string{"href", "method", "value", "offset", "limit", "size", "first", "last"}, joined.Components.Schemas["FeePage"].Always)
}

// TestFaultsAreRefused changes the small description and checks that each fault
// is refused with its line.
func TestFaultsAreRefused(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		change, into string
		want         string
	}{
		"an unknown key":                                     {"method: List", "methd: List", `fees.yaml:9: unknown key "methd"`},
		"an unknown section":                                 {"records:", "record:", `unknown key "record"`},
		"a key twice":                                        {"    method: List", "    method: List\n    Method: All", `"Method" is already used in line 9`},
		"a list where a text is expected":                    {"method: List", "method: [List]", "fees.yaml:9: expected a string"},
		"a text where a mapping is expected":                 {"operations:", "operations: none\nnothing:", "expected one name and value per line"},
		"true written otherwise":                             {"type: number", "type: number\n    open: yes", "expected true"},
		"no HTTP method":                                     {"GET /matters", "LIST /matters", "must begin with GET, POST"},
		"no path":                                            {"GET /matters/{matterId}/fees", "GET", "is not a valid path"},
		"a parameter of the path that is not described":      {"  matterId: uuid, is the id of the matter.", "  feeId: uuid, is an id.", `the parameter "matterId" is not described`},
		"a parameter that no path has":                       {"  matterId: uuid, is the id of the matter.", "  matterId: uuid, is the id of the matter.\n  feeId: uuid, is an id.", `no operation has the parameter "feeId"`},
		"a parameter of the operation that its path has not": {"    answer: object", "    answer: object\n    path:\n      feeId: uuid, is an id.", "does not contain {feeId}"},
		"a parameter twice":                                  {"      Type: list of", "      Offset: list of", `has the parameter "Offset" twice`},
		"a parameter that may be null":                       {"      Type: list of", "      Type: list? of", "a parameter cannot be null"},
		"the same operation twice":                           {"updateFees:", "LISTFEES:", `"LISTFEES" is already used in line 7`},
		"the same call twice":                                {"PUT /matters/{matterId}/fees", "GET /matters/{matterId}/fees", `call "GET /matters/{matterId}/fees" is already used at fees.yaml:7`},
		"the same method twice":                              {"method: Update", "method: list", `method of Fees "list" is already used at fees.yaml:7`},
		"no method":                                          {"    method: Update\n", "", "updateFees has no method"},
		"an operation without a sentence":                    {"    doc: Replaces the fees.\n", "", "updateFees has no doc"},
		"an operation with half a sentence":                  {"doc: Replaces the fees.", "doc: replaces the fees", "must begin with a capital letter"},
		"a walk that does not say what it yields":            {"Returns one page of the fees of a matter.", "Lists the fees of a matter.", "must begin with \"Returns one page of \""},
		"a sentence of a walk that is not there":             {"doc: Replaces the fees.", "doc: Replaces the fees.\n    walk: It ends early.", "updateFees has no All method"},
		"a sentence of a Modify that is not there":           {"doc: Replaces the fees.", "doc: Replaces the fees.\n    modify: It is slow.", "updateFees has no Modify method"},
		"an unknown class":                                   {"flags: money", "class: harmless", `the class must be read, create or idempotentWrite`},
		"a class that is the rule":                           {"flags: money, late", "class: idempotentWrite", "PUT has it by default"},
		"an unknown status":                                  {"flags: money", "status: 404", "success statuses"},
		"an unknown flag":                                    {"flags: money", "flags: cheap", `unknown flag "cheap"`},
		"a late failure of what is answered at once":         {"flags: money, late", "flags: late\n    status: 200", "updateFees has the flag late"},
		"an unknown error":                                   {"errors: 400, 500 without body", "errors: 418", `"418" is not one of the error statuses`},
		"an unknown grant":                                   {"grant: user", "grant: somebody", "expected clientCredentials or user"},
		"a grant without a status":                           {"grant: user 403 with matterId=0", "grant: user", "expected clientCredentials or user"},
		"a grant with a status that is no error":             {"grant: user 403", "grant: user 200", "expected clientCredentials or user"},
		"a grant with further words":                         {"with matterId=0", "for matterId=0", "expected clientCredentials or user"},
		"a grant by what is not in the path":                 {"matterId=0", "feeId=0", `depends on the parameter "feeId", which is not in the path`},
		"a grant whose refusal is not listed":                {"grant: user 403", "grant: user 401", "the status 401 for a missing grant"},
		"paging of what is no list":                          {"flags: money", "paging: links", "does not return a list"},
		"an unknown word of paging":                          {"since: UpdatedSince ticks", "paging: Page", "unknown word Page of paging"},
		"an unknown change filter":                           {"UpdatedSince ticks", "UpdatedSince days", "a change filter must be a name followed by"},
		"a body of a GET":                                    {"PUT /matters", "GET /other", "a GET must not have a body"},
		"a record that is sent":                              {"list of FeeWrite", "list of Fee", "sends Fee, which is not a body"},
		"a body that is answered":                            {"answer: page of Fee", "answer: page of FeeWrite", "reads FeeWrite, which is a body"},
		"a page of texts":                                    {"answer: page of Fee", "answer: page of text", "a page must contain records, and text is not a record"},
		"a reference to nothing":                             {"answer: object", "answer: Invoice", `unknown type "Invoice"`},
		"words after an answer":                              {"answer: object", "answer: object optional", `unknown words "optional"`},
		"words after a body":                                 {"list of FeeWrite", "list of FeeWrite required", "only optional is allowed after"},
		"a schema twice":                                     {"  FeeWrite:", "  fee:", `"fee" is already defined at fees.yaml:27`},
		"an enumeration named as a schema":                   {"  FeeType:\n    type", "  fee:\n    type", `"fee" is already defined`},
		"a schema without a sentence":                        {"    doc: is work on a matter.\n", "", "Fee has no sentence"},
		"a schema that nothing leads to":                     {"bodies:", "  Lost:\n    doc: is lost.\nbodies:", "no operation uses Lost"},
		"a schema like itself":                               {"like: Fee", "like: FeeWrite", "FeeWrite is like itself"},
		"a schema like nothing":                              {"like: Fee", "like: Invoice", `the schema "Invoice" does not exist`},
		"a schema with no Go name":                           {"like: Fee", "go: fee-write", "is not a valid Go name"},
		"a page that says not of what":                       {"records:", "pages:", "is required for pages"},
		"a member without a type":                            {"subject: text! always, is a short description.", `subject: ""`, "the type is missing"},
		"a member without a sentence":                        {"subject: text! always, is a short description.", "subject: text!", "Fee.subject has no sentence"},
		"a member with half a sentence":                      {"is a short description.", "A short description", "the sentence must continue after the name"},
		"a sentence that names no member":                    {"see `feeType`", "see `feeKind`", "mentions the member `feeKind`, which does not exist"},
		"an unknown type":                                    {"decimal dollars", "money dollars", `unknown type "money"`},
		"an unknown attribute":                               {"decimal dollars", "decimal euros", `unknown attribute "euros"`},
		"an unknown attribute with a value":                  {"decimal dollars", "decimal round up", `unknown attribute "round"`},
		"a mark that is the rule":                            {"subject: text!", "subject: text?", `remove the '?'`},
		"a mark that is the rule of bodies":                  {"rate: decimal?", "rate: decimal!", `remove the '!'`},
		"always, of what is sent":                            {"1..20", "always", "always is allowed only for members that are read"},
		"a member of every record":                           {"subject: text!", "self: text!", "every record has this member"},
		"two members of one Go name":                         {"subject: text!", "subject: text! as FeeType", "cannot have the Go name FeeType"},
		"bounds of what has none":                            {"subject: text!", "subject: bool! 1..2", "cannot have bounds"},
		"a least number of entries":                          {"subject: text!", "subject: list! of text 1..2", "cannot have a minimum number"},
		"a length that is no number":                         {"1..20", "1..2.5", `"2.5" is not a valid length`},
		"a pattern that cannot be read":                      {"1..20", "matching (", "cannot parse the pattern"},
		"closed, of no enumeration":                          {"1..20", "closed", "closed and only are allowed only for enumerations"},
		"a deletion that is not marked":                      {"subject: text required 1..20", "isDeleted: bool, deletes the fee.", "ask for confirmation before this member deletes the record"},
		"a removal that is not marked":                       {"subject: text required 1..20", "isRemoved: bool, removes the fee.", "ask for confirmation before this member deletes the record"},
		"a deletion by a text":                               {"1..20", "deletes yes", "deletes must be followed by true for a bool or by a value of the enumeration"},
		"a deletion by a value that the enumeration lacks":   {"feeType: FeeType\n", "feeType: FeeType deletes 7\n", "deletes"},
		"a value that the enumeration lacks":                 {"feeType: FeeType\n", "feeType: FeeType only 7\n", `FeeType does not have the value "7"`},
		"anyzone, of no instant":                             {"1..20", "anyzone", "anyzone is allowed only for instants"},
		"a record inside a body":                             {"feeType: FeeType\n", "feeType: Fee\n", "sends Fee, which is not a body"},
		"an enumeration of no type":                          {"type: number", "type: numbers", "must be number or text"},
		"an enumeration without values":                      {"    values:\n      0 Fixed: a fixed amount\n      1 Time: by duration\n", "", "FeeType has no values"},
		"an enumeration without a sentence":                  {"    doc: says how a fee is reckoned.\n", "", "FeeType has no sentence"},
		"a value without a name":                             {"0 Fixed: a fixed amount", `"0":`, `the value "0" has no name`},
		"a value with no Go name":                            {"0 Fixed", "0 at-once", "cannot be converted to a Go name"},
		"two values of one Go name":                          {"1 Time", "1 fixed", `Go name "FeeTypefixed" is already used at`},
		"an area without a name":                             {"area: Fees", "area: fees", "the area has no name"},
		"an area without a sentence":                         {"doc: Fees are work on a matter.\n", "", "the area has no doc"},
		"an unknown word of a copy":                          {"since: UpdatedSince", "copy: fees of subject\n    since: UpdatedSince", `unknown word "of" of a copy`},
		"a list that is not copied without a reason":         {"since: UpdatedSince", "copy: none\n    since: UpdatedSince", "expected the name of a kind, or none and a sentence"},
		"an empty copy":                                      {"since: UpdatedSince", "copy: \"\"\n    since: UpdatedSince", "expected the name of a kind, or none and a sentence"},
		"a copy below nothing":                               {"since: UpdatedSince", "copy: fees by subject\n    since: UpdatedSince", `no kind is listed at "/matters"`},
		"a copy by a member that is not there":               {"since: UpdatedSince", "copy: fees\n    since: UpdatedSince", "the records have no id"},
		"a copy with a parameter that is not there":          {"since: UpdatedSince", "copy: fees with Kind=1\n    since: UpdatedSince", `listFees has no parameter "Kind"`},
		"a second document":                                  {"area: Fees", "area: Fees\n---\narea: More", "expected one YAML document"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Contains(t, small, test.change)
			_, err := loadText(strings.Replace(small, test.change, test.into, 1))
			assert.ErrorContains(t, err, test.want)
		})
	}
}

func TestAnEmptyFileIsRefused(t *testing.T) {
	t.Parallel()
	_, err := loadText("")
	assert.ErrorContains(t, err, "fees.yaml: the file is empty")
}

func TestAllFaultsAreToldAtOnce(t *testing.T) {
	t.Parallel()
	_, err := loadText(strings.NewReplacer("is work on a matter.", "is work", "euros", "", "method: List", "methd: List").Replace(small))
	assert.ErrorContains(t, err, "methd")
	assert.ErrorContains(t, err, "end with a full stop")
}

// FuzzLoad checks that the loader accepts or refuses any file and does not
// panic.
func FuzzLoad(f *testing.F) {
	f.Add([]byte(small))
	for _, name := range []string{"activitycodes", "common", "webhooks"} {
		text, err := os.ReadFile("../../api/" + name + ".yaml")
		require.NoError(f, err)
		f.Add(text)
	}
	for _, text := range []string{"area: [", "operations:\n  a:\n    call: ", "enums:\n  A:\n    values:\n      1:", "? {a: b}\n: c", "a: &a\n  b: *a", "records:\n  A:\n    like: A\n"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		document, err := description.Load(fstest.MapFS{"fees.yaml": {Data: text}})
		if err != nil {
			return
		}
		if _, err := document.OpenAPI(); err != nil {
			t.Errorf("what was read cannot be joined: %v", err)
		}
	})
}
