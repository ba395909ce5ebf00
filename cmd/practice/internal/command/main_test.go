package command

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	gokeyring "github.com/zalando/go-keyring"
	"go.uber.org/goleak"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/operations"
	"github.com/practicesdk/practice-go/practicetest"
)

// asProgram is the environment variable that makes this test binary run the
// program.
const asProgram = "PRACTICE_TEST_PROGRAM"

func TestMain(m *testing.M) {
	switch {
	case filepath.Base(os.Args[0]) == "xdg-open":
		visit(os.Args[1])
		os.Exit(0)
	case os.Getenv(asProgram) != "":
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
		signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
		code := Run(ctx, os.Args[1:], Streams{os.Stdin, os.Stdout, os.Stderr}, os.Getenv)
		stop()
		os.Exit(code)
	}
	gokeyring.MockInit() // a keyring in memory instead of that of the developer
	goleak.VerifyTestMain(m)
}

// result holds the output and the exit code of a command line.
type result struct {
	code     int
	out, err string
}

func execute(t testing.TB, stdin string, env map[string]string, args ...string) result {
	t.Helper()
	var out, err bytes.Buffer
	code := Run(t.Context(), args, Streams{strings.NewReader(stdin), &out, &err}, variables(t, env))
	return result{code, out.String(), err.String()}
}

// variables returns an environment, whose profiles are in a folder of the test.
func variables(t testing.TB, env map[string]string) func(string) string {
	empty := t.TempDir()
	return func(name string) string {
		if name == "PRACTICE_CONFIG_DIR" && env[name] == "" {
			return empty
		}
		return env[name]
	}
}

// service returns an embedded service with the environment variables for it.
func service(t testing.TB) (*practicetest.Server, map[string]string) {
	t.Helper()
	server, err := practicetest.Start(practicetest.WithMatters(2), practicetest.WithEvents(20))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, server.Close()) })
	own := server.Credentials()
	return server, map[string]string{
		"PRACTICE_BASE_URL": server.BaseURL(), "PRACTICE_API_KEY": own.APIKey, "PRACTICE_ACCESS_TOKEN": own.AccessToken,
	}
}

// commandLine returns the command line that results in a request.
func commandLine(t testing.TB, o practice.Operation, base string, sent practicetest.RecordedRequest) []string {
	area, method, _ := strings.Cut(o.GoMethod, ".")
	line := []string{kebab(area), kebab(method), "--yes", "-o", "json"}
	root, err := url.Parse(base)
	require.NoError(t, err)
	segments := strings.Split(strings.TrimPrefix(sent.Path, root.EscapedPath()), "/")
	for i, part := range strings.Split(o.Path, "/") {
		if strings.HasPrefix(part, "{") {
			value, err := url.PathUnescape(segments[i])
			require.NoError(t, err)
			line = append(line, value)
		}
	}
	query, err := url.ParseQuery(sent.RawQuery)
	require.NoError(t, err)
	for name, values := range query {
		for _, value := range values {
			line = append(line, "--"+kebab(name)+"="+value)
		}
	}
	if o.Body != "" && len(sent.Body) > 0 {
		line = append(line, "--body", string(sent.Body))
	}
	return line
}

func TestEveryOperationIsSentAsItsMethodSendsIt(t *testing.T) {
	server, env := service(t)
	own := server.Credentials()
	client, err := practice.NewClient(server.BaseURL(), practice.WithAPIKey(own.APIKey), practice.WithAccessToken(own.AccessToken))
	require.NoError(t, err)
	t.Cleanup(client.CloseIdleConnections)
	described := practice.Operations()
	last := func() practicetest.RecordedRequest {
		requests := server.Requests()
		require.NotEmpty(t, requests)
		return requests[len(requests)-1]
	}
	compared := 0
	for _, op := range operations.All() {
		i := slices.IndexFunc(described, func(o practice.Operation) bool { return o.ID == op.ID })
		require.GreaterOrEqual(t, i, 0, op.ID)
		_ = op.Call(t.Context(), client, server.Firm()) // the record may be gone by now; only the request matters
		byMethod := last()
		if strings.Contains(byMethod.RawQuery, "Since=") || strings.Contains(byMethod.RawQuery, "LastUpdated=") {
			continue // times have their own test
		}
		line := commandLine(t, described[i], server.BaseURL(), byMethod)
		server.ResetRequests()
		got := execute(t, "", env, line...)
		require.NotEqual(t, exitMisused, got.code, "%v: %s", line, got.err)
		byName := last()
		assert.Equal(t, [3]string{byMethod.Method, byMethod.Path, byMethod.RawQuery}, [3]string{byName.Method, byName.Path, byName.RawQuery}, op.ID)
		if len(byMethod.Body) > 0 {
			assert.JSONEq(t, string(byMethod.Body), string(byName.Body), op.ID)
		}
		compared++
	}
	assert.Greater(t, compared, 220)
}

func TestACommandLineEndsWithItsCode(t *testing.T) {
	server, env := service(t)
	matter := server.Firm().MatterID
	for name, row := range map[string]struct {
		line     []string
		stdin    string
		code     int
		out, err string // texts that they contain
	}{
		"a list in a pipe is JSON":                  {line: []string{"matters", "list"}, out: "[\n  {\n"},
		"a page that is not the last says so":       {line: []string{"matters", "list", "--limit", "1"}, err: "records 1 to 1 of"},
		"… unless it is quiet":                      {line: []string{"matters", "list", "--limit", "1", "-q"}},
		"a whole list":                              {line: []string{"matters", "list", "--all", "-o", "jsonl", "--jq", ".title"}, out: "Varga"},
		"a table has a header":                      {line: []string{"matters", "list", "-o", "table"}, out: "ID   "},
		"columns are chosen":                        {line: []string{"matters", "list", "-o", "csv", "--columns", "title,clients.0.relation"}, out: "title,clients.0.relation\n"},
		"a sum is exact":                            {line: []string{"bank-accounts", "list", "--sum", "balance"}, err: "The sum of balance over"},
		"a sum of what is not there":                {line: []string{"matters", "list", "--sum", "title"}, code: exitFailed, err: "--sum"},
		"a record that is missing":                  {line: []string{"memos", "get", matter, "x"}, code: exitNotFound, err: "404"},
		"an error for programs":                     {line: []string{"memos", "get", matter, "x", "-o", "json"}, code: exitNotFound, err: `"exitCode":3`},
		"a body by members":                         {line: []string{"memos", "create", matter, "--set", "title=a", "--set", "text=b"}, out: `"href"`},
		"a body from stdin":                         {line: []string{"memos", "create", matter, "--body", "-"}, stdin: `{"title":"a","text":"b"}`, out: `"href"`},
		"a write that is awaited":                   {line: []string{"memos", "create", matter, "--set", "title=a", "--set", "text=b", "--wait"}, out: `"href"`},
		"a member that is nearly right":             {line: []string{"memos", "create", matter, "--set", "titel=a"}, code: exitMisused, err: "did you mean title?"},
		"a member that is missing":                  {line: []string{"memos", "create", matter, "--set", "title=a"}, code: exitMisused, err: "text"},
		"a body that is no JSON":                    {line: []string{"memos", "create", matter, "--body", "{"}, code: exitMisused, err: "--body"},
		"a body with text behind it":                {line: []string{"memos", "create", matter, "--body", "{} {}"}, code: exitMisused, err: "after top-level value"},
		"a request that is only printed":            {line: []string{"memos", "create", matter, "--set", "title=a", "--set", "text=b", "--dry-run"}, out: "POST http"},
		"a command that is misspelt":                {line: []string{"memos", "lst"}, code: exitMisused, err: "lst"},
		"an area that is misspelt":                  {line: []string{"mater", "list"}, code: exitMisused, err: "mater"},
		"a command of an area that is misspelt":     {line: []string{"matters", "lst"}, code: exitMisused, err: "did you mean list or get?"},
		"a flag that is misspelt":                   {line: []string{"matters", "list", "--lmit", "1"}, code: exitMisused, err: "did you mean --limit?"},
		"a flag of every command that is misspelt":  {line: []string{"matters", "list", "--output-format", "csv"}, code: exitMisused, err: "unknown flag: --output-format"},
		"a flag of one letter":                      {line: []string{"matters", "list", "-z"}, code: exitMisused, err: "'z'"},
		"a member that is almost right":             {line: []string{"fees", "create", matter, "--set", "fedDate=2026-11-01"}, code: exitMisused, err: "did you mean feeDate?"},
		"a member that the library refuses":         {line: []string{"fees", "patch", matter, "f", "--set", "subject="}, code: exitMisused, err: "--set subject "},
		"a member that is set to null":              {line: []string{"fees", "patch", matter, "f", "--null", "subject"}, code: exitMisused, err: "--null subject "},
		"a member of a body":                        {line: []string{"fees", "patch", matter, "f", "--body", `{"subject":""}`}, code: exitMisused, err: "--body: subject "},
		"a body that is missing":                    {line: []string{"fees", "create", matter}, code: exitMisused, err: "--body "},
		"an id that is no segment":                  {line: []string{"matters", "get", "../staff"}, code: exitMisused, err: "ID "},
		"an argument too few":                       {line: []string{"memos", "get", matter}, code: exitMisused, err: "requires ID"},
		"an argument too many":                      {line: []string{"memos", "get", matter, "x", "y"}, code: exitMisused, err: `"y"`},
		"a limit that is none":                      {line: []string{"matters", "list", "--limit", "ten"}, code: exitMisused, err: "--limit must be"},
		"a time that is none":                       {line: []string{"matters", "list", "--last-updated", "soon"}, code: exitMisused, err: "--last-updated"},
		"a filter that is none":                     {line: []string{"matters", "list", "--jq", "|"}, code: exitMisused, err: "--jq"},
		"a format that is none":                     {line: []string{"matters", "list", "-o", "xml"}, code: exitMisused, err: "xml"},
		"a deletion asks":                           {line: []string{"memos", "delete", matter, "x"}, stdin: "no\n", code: exitMisused, err: "Type yes"},
		"a deletion that nobody answers":            {line: []string{"memos", "delete", matter, "x"}, code: exitMisused, err: "--yes"},
		"a deletion that someone confirms":          {line: []string{"memos", "delete", matter, "x"}, stdin: "yes\n", code: exitNotFound},
		"a skeleton needs no arguments' values":     {line: []string{"fees", "patch", "m", "f", "--skeleton"}, out: `"rate"`},
		"a skeleton needs no arguments":             {line: []string{"fees", "patch", "--skeleton"}, out: "// rate is in dollars"},
		"any request":                               {line: []string{"api", "GET", "/matters?limit=1"}, out: `"value"`},
		"a list of texts by its elements":           {line: []string{"contacts", "add-tags", "c", "--set", "[0]=VIP", "--dry-run"}, out: `"VIP"`},
		"a number that is null":                     {line: []string{"fees", "patch", matter, "f", "--set", "rate=null"}, code: exitMisused, err: "--set rate=null: must be a number"},
		"a switch that is a number":                 {line: []string{"fees", "patch", matter, "f", "--set", "isBillable=1"}, code: exitMisused, err: "must be true or false"},
		"an object that is a text":                  {line: []string{"contacts", "create", "--set", "person=Ann"}, code: exitMisused, err: "is an object or a list"},
		"columns with spaces between them":          {line: []string{"matters", "list", "--columns", "id, titel"}, code: exitMisused, err: "--columns: unknown member titel; did you mean title?"},
		"a column that is misspelt":                 {line: []string{"matters", "list", "--columns", "id,titel"}, code: exitMisused, err: "--columns: unknown member titel; did you mean title?"},
		"a column that is unknown":                  {line: []string{"matters", "list", "--columns", "clients.0.colour"}, code: exitMisused, err: "unknown member colour; use -o json to see all members"},
		"a sum that is misspelt":                    {line: []string{"bank-accounts", "list", "--sum", "balanc"}, code: exitMisused, err: "did you mean balance?"},
		"texts without a title":                     {line: []string{"matters", "list", "--limit", "1", "-q", "-o", "csv", "--jq", ".status"}, out: "Open\n"},
		"values of one record have one header":      {line: []string{"api", "GET", "/matters?limit=2", "-o", "csv", "--columns", "status", "--jq", ".value[]"}, out: "status\nOpen\nOpen\n"},
		"a sum of one record":                       {line: []string{"api", "GET", "/bankaccounts", "--jq", ".value[]", "--sum", "balance"}, err: "The sum of balance over"},
		"a wrong flag, for programs":                {line: []string{"matters", "list", "--colour", "red", "-o", "json"}, code: exitMisused, err: `"exitCode":2`},
		"a wrong command, for programs":             {line: []string{"matters", "lst", "--output=jsonl"}, code: exitMisused, err: `"exitCode":2`},
		"any request that moves money asks":         {line: []string{"api", "post", "/bankaccounts/x/requisitions", "--body", "{}"}, stdin: "no\n", code: exitMisused, err: "POST /bankaccounts/x/requisitions on"},
		"a list that is empty":                      {line: []string{"fees", "patch", matter, "f", "--set", "sourceItems=", "--dry-run", "-o", "json"}, out: `"sourceItems": []`},
		"a list of texts that is empty":             {line: []string{"matters", "patch", matter, "--set", "originatingStaffIds=", "--dry-run"}, out: `"originatingStaffIds": []`},
		"null in a list":                            {line: []string{"contacts", "add-tags", "c", "--body", `["VIP",null]`}, code: exitMisused, err: "--body: [1] must not be null"},
		"null in a list by its element":             {line: []string{"contacts", "add-tags", "c", "--null", "[0]"}, code: exitMisused, err: "--null [0] must not be null"},
		"a body that is null":                       {line: []string{"memos", "create", matter, "--body", "null"}, code: exitMisused, err: "--body: the body must not be null"},
		"a body that is null, and a member":         {line: []string{"memos", "create", matter, "--body", "null", "--set", "title=a"}, code: exitMisused, err: "--body: the body must not be null"},
		"a body that is empty":                      {line: []string{"memos", "create", matter, "--body", "", "--set", "title=a", "--set", "text=b"}, code: exitMisused, err: "--body must not be empty"},
		"a member of a body that is misspelt":       {line: []string{"memos", "create", matter, "--body", `{"titel":"a"}`}, code: exitMisused, err: "--body: titel: unknown member titel; did you mean title?"},
		"a member of an object that is misspelt":    {line: []string{"contacts", "create", "--body", `{"person":{"firstNam":"x"}}`}, code: exitMisused, err: "--body: person.firstNam: unknown member firstNam; did you mean firstName?"},
		"an object that is misspelt":                {line: []string{"contacts", "create", "--body", `{"persn":{"firstName":"x"}}`}, code: exitMisused, err: "did you mean person?"},
		"a wait for what no read shows":             {line: []string{"events", "create-reminder", "e", "--set", "offset=30", "--wait"}, code: exitMisused, err: "unknown flag: --wait"},
		"a wait for a method that stays":            {line: []string{"subscriptions", "remove-payment-method", "s", "m", "--yes", "--wait"}, code: exitMisused, err: "unknown flag: --wait"},
		"a wait for a folder's new name":            {line: []string{"documents", "patch-folder", matter, "f", "--set", "name=x", "--wait"}, code: exitMisused, err: "unknown flag: --wait"},
		"a member within a body":                    {line: []string{"fees", "create", matter, "--body", `{"sourceItems":[{"durration":1}]}`}, code: exitMisused, err: "--body: sourceItems[0].durration: unknown member durration; did you mean duration?"},
		"a member that is set twice":                {line: []string{"fees", "patch", matter, "f", "--set", "rate=1", "--set", "rate=2"}, code: exitMisused, err: "--set rate=2: the member is set more than once"},
		"a member that is set after one within it":  {line: []string{"contacts", "create", "--set", "person.firstName=A", "--set", `person:={"lastName":"B"}`}, code: exitMisused, err: `--set person:={"lastName":"B"}: the member is set more than once`},
		"a member that is null after one within it": {line: []string{"contacts", "create", "--set", "person.firstName=A", "--null", "person"}, code: exitMisused, err: "--null person: the member is set more than once"},
		"a member that is set and null":             {line: []string{"fees", "patch", matter, "f", "--set", "tax=1", "--null", "tax"}, code: exitMisused, err: "--null tax: the member is set more than once"},
		"an element that the library refuses":       {line: []string{"contacts", "add-tags", "c", "--set", "[0]="}, code: exitMisused, err: "--set [0] must"},
		"a value of a flag that is misspelt":        {line: []string{"matters", "list", "--status", "Opn"}, code: exitMisused, err: `--status: "Opn" is not one of Open, Pending, Closed, Deleted, Cancelled; did you mean Open?`},
		"a name of a list that is misspelt":         {line: []string{"matters", "list", "--fields", "items,tgas"}, code: exitMisused, err: `"tgas" is not one of items, tags; did you mean tags?`},
		"a value of a member that is misspelt":      {line: []string{"matters", "patch", matter, "--set", "status=Clsed"}, code: exitMisused, err: "did you mean Closed?"},
		"a value that is not published":             {line: []string{"matters", "patch", matter, "--set", `status:="Resting"`, "--dry-run"}, out: `"Resting"`},
		"the name of a number":                      {line: []string{"fees", "create", matter, "--set", "feeType=Time"}, code: exitMisused, err: `"Time" must be written as 1`},
		"columns of JSON":                           {line: []string{"matters", "list", "-o", "json", "--columns", "id"}, code: exitMisused, err: "--columns: json always contains all members"},
		"columns without a format":                  {line: []string{"matters", "list", "-q", "--columns", "id,title"}, out: "ID  "},
		"columns of texts":                          {line: []string{"webhooks", "list-types", "-o", "csv", "--columns", "name"}, code: exitMisused, err: "--columns: a string has no member name"},
		"a calendar begins now":                     {line: []string{"events", "list", "-o", "jsonl", "--limit", "1"}, out: `"id"`, err: "The list starts at the current time. To list earlier records, use --from."},
		"a column with an empty name":               {line: []string{"matters", "list", "--columns", "id,,title"}, code: exitMisused, err: "a column name is empty"},
		"a status that deletes asks":                {line: []string{"matters", "patch", matter, "--set", "status=Deleted"}, code: exitMisused, err: "Type yes"},
		"a status that closes does not ask":         {line: []string{"matters", "patch", matter, "--set", "status=Closed", "--dry-run"}, out: "PATCH"},
		"a folder that is deleted asks":             {line: []string{"documents", "patch-folder", matter, "f", "--set", "isDeleted=true"}, code: exitMisused, err: "practice documents patch-folder " + matter + " f on profile"},
		"a body with a byte order mark":             {line: []string{"memos", "create", matter, "--body", "-", "--dry-run"}, stdin: "\ufeff{\"title\":\"ä\",\"text\":\"b\"}\r\n", out: `"title": "ä"`},
		"a body in UTF-16":                          {line: []string{"memos", "create", matter, "--body", "-", "--dry-run"}, stdin: "\xff\xfe{\x00\"\x00t\x00i\x00t\x00l\x00e\x00\"\x00:\x00\"\x00\xe4\x00\"\x00}\x00", code: exitMisused, err: "--body: text must not be empty"},
		"a body in the code page of a system":       {line: []string{"memos", "create", matter, "--body", "-"}, stdin: "{\"title\":\"\xe4\"}", code: exitMisused, err: "--body: line 1, column 11: the text is neither UTF-8 nor UTF-16"},
		"a request with a byte order mark":          {line: []string{"api", "POST", "/matters/" + matter + "/memos", "--body", "-", "--dry-run"}, stdin: "\ufeff{\"title\":\"a\"}", out: `"title": "a"`},
		"the whole content of a folder":             {line: []string{"documents", "list-root-folder", matter, "-o", "csv"}, out: "Letters"},
		"a body that deletes a folder asks":         {line: []string{"documents", "patch-folder", matter, "f", "--body", `{"isDeleted":true}`}, code: exitMisused, err: "Type yes"},
		"a value of another type":                   {line: []string{"fees", "patch", matter, "f", "--set", `rate:="5"`}, code: exitMisused, err: "--set rate is not a number"},
		"an object for a list":                      {line: []string{"fees", "patch", matter, "f", "--set", "sourceItems.duration=5"}, code: exitMisused, err: "use [0].duration"},
		"a time that no calendar has":               {line: []string{"events", "create", "--set", "startTime=999999w"}, code: exitMisused, err: "--set startTime=999999w: \"999999w\" is not between the years 1"},
		"a number with spaces around it":            {line: []string{"fees", "patch", matter, "f", "--set", "rate= 12.5 ", "--dry-run"}, out: `"rate": 12.5`},
		"a list with spaces behind its commas":      {line: []string{"matters", "create", "--set", "clientIds=a, b", "--dry-run"}, out: "\"a\",\n    \"b\""},
		"a list with an empty element":              {line: []string{"matters", "create", "--set", "clientIds=a,"}, code: exitMisused, err: "contains an empty element"},
		"an error names the command":                {line: []string{"memos", "get", matter, "x", "-q"}, code: exitNotFound, err: "practice memos get: status 404"},
		"a wrong line names its help":               {line: []string{"memos", "get", matter}, code: exitMisused, err: "See practice memos get --help."},
		"a missing body names no type of Go":        {line: []string{"search", "list-files"}, code: exitMisused, err: "--body is required; use --skeleton to print one"},
		"any request for a list, as CSV":            {line: []string{"api", "GET", "/matters?limit=1", "-q", "-o", "csv", "--columns", "status"}, out: "status\nOpen\n"},
		"a contact that is deleted asks":            {line: []string{"contacts", "update", "c", "--body", `{"person":{"lastName":"a"},"isDeleted":true}`}, code: exitMisused, err: "Type yes"},
		"a staff member who leaves asks":            {line: []string{"staff", "update", "s", "--set", "former=true"}, code: exitMisused, err: "Type yes"},
		"any request with such a status asks":       {line: []string{"api", "PATCH", "/matters/" + matter, "--body", `{"Status":"deleted"}`}, code: exitMisused, err: "Type yes"},
		"any request that is wrong does not ask":    {line: []string{"api", "DELETE", "matters"}, code: exitMisused, err: "Path must begin"},
		"any request with a body that is no file":   {line: []string{"api", "POST", "/matters", "--body", "@nowhere"}, code: exitMisused, err: "--body: open nowhere"},
		"a firm of a variable that is not set":      {line: []string{"matters", "list", "--sandbox="}, code: exitMisused, err: "--sandbox must not be empty"},
		"a profile of such a variable":              {line: []string{"matters", "list", "--profile", ""}, code: exitMisused, err: "--profile must not be empty"},
		"a matter of such a variable":               {line: []string{"mcp", "--wide-token", "--matter", ""}, code: exitMisused, err: "--matter must not be empty"},
		"a filter of such a variable":               {line: []string{"matters", "list", "--contact-id", ""}, code: exitMisused, err: "must not be empty"},
		"a file of such a variable":                 {line: []string{"run", "createMemo", ""}, code: exitMisused, err: "FILE must not be empty"},
		"any request with a wrong method":           {line: []string{"api", "G T", "/matters"}, code: exitMisused, err: "Method"},
	} {
		t.Run(name, func(t *testing.T) {
			got := execute(t, row.stdin, env, row.line...)
			assert.Equal(t, row.code, got.code, "%s%s", got.out, got.err)
			assert.Contains(t, got.out, row.out)
			assert.Contains(t, got.err, row.err)
			if row.err == "" && row.stdin == "" {
				assert.Empty(t, got.err, "results go to stdout, and nothing else does")
			}
		})
	}
}

func TestTheSumOfAPartIsNotTold(t *testing.T) {
	_, env := service(t)
	for _, line := range [][]string{
		{"matters", "list", "--sum", "title"},
		{"bank-accounts", "list", "--sum", "balance", "--jq", "if .balance < 0 then error else . end"},
	} {
		got := execute(t, "", env, line...)
		assert.NotEqual(t, exitDone, got.code)
		assert.NotContains(t, got.err, "The sum", line)
	}
}

func TestWithoutAnAccountThereIsTheSandbox(t *testing.T) {
	got := execute(t, "", nil, "matters", "list")
	assert.Equal(t, exitNotAllowed, got.code)
	assert.Contains(t, got.err, "--sandbox")
	assert.Contains(t, got.err, "practice login")

	got = execute(t, "", nil, "--sandbox", "matters", "list", "-o", "table")
	assert.Equal(t, exitDone, got.code, got.err)
	assert.Contains(t, got.out, "TITLE")
}

func TestTheFirmOfASandboxFileIsKept(t *testing.T) {
	firm := "--sandbox=" + filepath.Join(t.TempDir(), "firm")
	first := execute(t, "", nil, firm, "matters", "list", "-o", "jsonl", "--jq", ".id", "-q", "--limit", "1")
	require.Equal(t, exitDone, first.code, first.err)
	matter := strings.Trim(first.out, "\"\n")
	made := execute(t, "", nil, firm, "memos", "create", matter, "--set", "title=Kept", "--set", "text=b", "--wait")
	require.Equal(t, exitDone, made.code, made.err)
	again := execute(t, "", nil, firm, "memos", "list", matter, "--all", "-o", "jsonl", "--jq", ".title")
	assert.Contains(t, again.out, `"Kept"`)
}

func TestNoFlagOfAnOperationHidesAnother(t *testing.T) {
	root := (&app{}).command()
	commands := 0
	for _, area := range root.Commands() {
		if area.Name() == "config" || area.Name() == "files" {
			continue
		}
		for _, c := range area.Commands() {
			commands++
			c.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
				assert.Nil(t, root.PersistentFlags().Lookup(f.Name), "%s --%s", c.CommandPath(), f.Name)
			})
			assert.Equal(t, 1, countNamed(area, c.Name()), c.CommandPath())
		}
	}
	assert.Equal(t, len(practice.Operations())+1, commands, "and webhooks listen")
}

func countNamed(area *cobra.Command, name string) (n int) {
	for _, c := range area.Commands() {
		if c.Name() == name {
			n++
		}
	}
	return n
}

func TestAmountsKeepTheirDigitsThroughAFilter(t *testing.T) {
	var out bytes.Buffer
	a := &app{Streams: Streams{Out: &out, Err: &out}, format: formatLines, jq: ".amount"}
	p, err := a.printer()
	require.NoError(t, err)
	require.NoError(t, p.record(json.RawMessage(`{"amount": 12345678901234567890.10}`)))
	require.NoError(t, p.end(nil))
	assert.Equal(t, "12345678901234567890.10\n", out.String())
}

// TestTheRecipesOfTheDocumentationRun runs each command of docs/cli.md on the
// same sandbox. Each has to print something.
func TestTheRecipesOfTheDocumentationRun(t *testing.T) {
	text, err := os.ReadFile("../../../../docs/cli.md")
	require.NoError(t, err)
	firm := filepath.Join(t.TempDir(), "firm")
	ran := 0
	for line := range strings.SplitSeq(string(text), "\n") {
		command, found := strings.CutPrefix(line, "practice --sandbox ")
		if !found {
			continue
		}
		command, _, _ = strings.Cut(command, "  #")
		got := execute(t, "", nil, append([]string{"--sandbox=" + firm}, split(command)...)...)
		assert.Equal(t, exitDone, got.code, "%s\n%s", line, got.err)
		assert.NotEmpty(t, strings.TrimSpace(got.out), "%s prints nothing", line)
		ran++
	}
	assert.Greater(t, ran, 8)
}

// split splits a command line at spaces outside of quotes.
func split(line string) (all []string) {
	var word strings.Builder
	quoted, begun := false, false
	for _, r := range line {
		switch {
		case r == '\'':
			quoted, begun = !quoted, true
		case r == ' ' && !quoted:
			if begun {
				all = append(all, word.String())
			}
			word.Reset()
			begun = false
		default:
			word.WriteRune(r)
			begun = true
		}
	}
	if begun {
		all = append(all, word.String())
	}
	return all
}

func TestACallThatIsCancelledEnds(t *testing.T) {
	_, env := service(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, line := range [][]string{{"matters", "list"}, {"run", "createMemo"}} {
		var out, errs bytes.Buffer
		code := Run(ctx, line, Streams{strings.NewReader("matterId,title,text\nm,a,b\n"), &out, &errs}, variables(t, env))
		assert.Equal(t, exitInterrupted, code, line)
		assert.Contains(t, errs.String(), "canceled", fmt.Sprint(out.String()))
		assert.NotContains(t, errs.String(), "rows cannot be sent")
	}
}
