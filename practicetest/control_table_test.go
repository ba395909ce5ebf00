package practicetest_test

import (
	"encoding/json"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/practicesdk/practice-go/practicetest"
)

// controlCommand is a line of the table in control_commands.go, which no
// program outside of the service can ask for.
type controlCommand struct{ method, path, does, status string }

func controlCommands(t *testing.T) (all []controlCommand) {
	t.Helper()
	text, err := os.ReadFile("control_commands.go")
	require.NoError(t, err)
	statuses := map[string]string{"ok": "200", "made": "201", "done": "204"}
	for _, m := range regexp.MustCompile(`(?m)^\t\t\{"([A-Z]+)", "(/\S+)", "(.*?)", (\w+), "`).FindAllStringSubmatch(string(text), -1) {
		all = append(all, controlCommand{m[1], m[2], m[3], statuses[m[4]]})
	}
	return all
}

// TestTheDescriptionAndTheTableHaveTheSameCommands checks that control.yaml and
// the implementation have the same commands.
func TestTheDescriptionAndTheTableHaveTheSameCommands(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("control.yaml")
	require.NoError(t, err)
	var document struct {
		Servers []struct{ URL string }
		Paths   map[string]map[string]struct {
			Responses map[string]yaml.Node
		}
	}
	require.NoError(t, yaml.Unmarshal(text, &document))
	assert.True(t, strings.HasSuffix(controlled(t).ControlURL(), document.Servers[0].URL))
	var described, answered []string
	for path, methods := range document.Paths {
		for method, operation := range methods {
			for status := range operation.Responses {
				if strings.HasPrefix(status, "2") {
					described = append(described, strings.ToUpper(method)+" "+path+" "+status)
				}
			}
		}
	}
	for _, c := range controlCommands(t) {
		answered = append(answered, c.method+" "+c.path+" "+c.status)
	}
	slices.Sort(described)
	slices.Sort(answered)
	assert.Equal(t, described, answered)
}

// TestEveryMethodIsACommandOrSaysWhyNot keeps the control interface complete:
// each new method of Server needs a command or an entry in notCommands.
func TestEveryMethodIsACommandOrSaysWhyNot(t *testing.T) {
	t.Parallel()
	notCommands := map[string]string{
		"BaseURL": "is printed", "TokenURL": "is printed", "AuthorizeURL": "is printed", "ControlURL": "is printed",
		"StorageURL": "is in the addresses", "Credentials": "are printed", "Firm": "is in the answer of seed",
		"HTTPClient": "is of Go", "Client": "is of Go", "NewClient": "is of Go", "Mount": "serves a handler of Go", "Clock": "its methods are commands",
		"Tolerate": "runs a function; ExcuseViolations is its command", "Close": "is a signal to the program",
		"EventIDs": "are listed", "Rewind": "is what Reset does with clock",
	}
	methods := map[string]bool{}
	for _, of := range []reflect.Type{reflect.TypeFor[*practicetest.Server](), reflect.TypeFor[*practicetest.Clock]()} {
		for i := range of.NumMethod() {
			methods[of.Method(i).Name] = true
		}
	}
	for _, c := range controlCommands(t) {
		for _, does := range c.methods() {
			assert.True(t, methods[does], "%s %s names %s, which is no method", c.method, c.path, does)
		}
	}
	for _, c := range controlCommands(t) {
		for _, does := range c.methods() { // several commands may call one method
			delete(methods, does)
		}
	}
	adds, reads := recordMethods() // covered by TestARecordOfEveryOperationIsAddedByACommand
	for _, of := range []map[string]reflect.Method{adds, reads} {
		for _, method := range of {
			delete(methods, method.Name)
		}
	}
	for name := range notCommands {
		assert.True(t, methods[name], "%s is no method, or a command", name)
		delete(methods, name)
	}
	assert.Empty(t, methods, "these are neither commands nor named as none")
}

// methods returns the names of the methods that a command calls. A name that
// ends with … stands for the methods of all kinds of records.
func (c controlCommand) methods() (all []string) {
	for _, name := range strings.Split(c.does, ", ") {
		if name != "" && !strings.HasSuffix(name, "…") {
			all = append(all, name)
		}
	}
	return all
}

// TestAFaultIsTheSameOnTheWire sends back what the service tells about a fault
// of each kind.
func TestAFaultIsTheSameOnTheWire(t *testing.T) {
	t.Parallel()
	s := controlled(t)
	for kind := practicetest.FaultStatus; kind.String() != "unknown"; kind++ {
		fault := practicetest.Fault{
			Operation: "getStaff", Skip: 1, Times: -1, Kind: kind, Status: 503, Delay: 1500000000, RetryAfter: "2",
			Body: "b", ContentType: "text/plain", After: 3, BytesPerSecond: 4,
		}
		for field, value := range reflect.ValueOf(fault).Fields() {
			assert.True(t, !value.IsZero() || field.Name == "Kind", "%s is not tried", field.Name)
		}
		s.Inject(fault)
		var told struct{ Value []json.RawMessage }
		command(t, s, "GET", "/faults", "").want(200).into(&told)
		s.ClearFaults()
		command(t, s, "POST", "/faults", string(told.Value[0])).want(204)
		assert.Equal(t, []practicetest.Fault{fault}, s.Faults())
		s.ClearFaults()
	}
}

// TestThePageOfTheSandboxListsEveryCommand compares the table on the page with
// the commands.
func TestThePageOfTheSandboxListsEveryCommand(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("control.md")
	require.NoError(t, err)
	var rows, want []string
	for line := range strings.Lines(string(page)) {
		if cells := strings.Split(line, "|"); strings.HasPrefix(line, "| `") {
			rows = append(rows, strings.TrimSpace(cells[1])+strings.TrimSpace(cells[2]))
		}
	}
	for _, c := range controlCommands(t) {
		if c.does != "" {
			name := c.does
			if _, ofClock := reflect.TypeFor[*practicetest.Clock]().MethodByName(name); ofClock {
				name = "Clock." + name
			}
			want = append(want, "`"+c.method+" "+c.path+"``"+strings.ReplaceAll(name, ", ", "`, `")+"`")
		}
	}
	assert.Equal(t, want, rows)
}
