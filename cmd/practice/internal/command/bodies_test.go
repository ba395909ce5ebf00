package command

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/members"
	"github.com/practicesdk/practice-go/internal/operations"
)

// fullest returns the sample of the description, which has every member, and
// least the required members.
func fullest(o practice.Operation) string { return o.Sample }

func least(t *testing.T, o practice.Operation) string {
	object := map[string]json.RawMessage{}
	if json.Unmarshal([]byte(o.Sample), &object) != nil {
		return "[]" // for a list of strings or objects
	}
	_, name, _ := strings.Cut(o.Body, ".")
	kept := map[string]json.RawMessage{}
	for _, m := range members.Of(name) {
		if m.Required && object[m.Name] != nil {
			kept[m.Name] = object[m.Name]
		}
	}
	text, err := json.Marshal(kept)
	require.NoError(t, err)
	return string(text)
}

// withBody returns the arguments of an operation's method with another body.
func withBody(t *testing.T, o practice.Operation, arguments []any, text string) ([]any, bool) {
	record := o.NewBody()
	require.NoError(t, json.Unmarshal([]byte(text), record), o.ID)
	kind := reflect.TypeOf(record)
	for i, argument := range arguments {
		switch reflect.TypeOf(argument) {
		case kind:
			arguments[i] = record
			return arguments, true
		case kind.Elem():
			arguments[i] = reflect.ValueOf(record).Elem().Interface()
			return arguments, true
		}
	}
	return nil, false
}

// TestEveryBodyArrivesAsTheMethodSendsIt sends the fullest and the smallest
// body of each operation by the method of the library and by the command. The
// command refuses what the library refuses, with the name of a flag.
func TestEveryBodyArrivesAsTheMethodSendsIt(t *testing.T) {
	server, env := service(t)
	own := server.Credentials()
	client, err := practice.NewClient(server.BaseURL(), practice.WithAPIKey(own.APIKey), practice.WithAccessToken(own.AccessToken), practice.WithRetries(0))
	require.NoError(t, err)
	t.Cleanup(client.CloseIdleConnections)
	sent, refused := 0, 0
	for _, o := range practice.Operations() {
		op, known := operations.ByID(o.ID)
		require.True(t, known)
		for _, body := range []string{fullest(o), least(t, o)} {
			if o.Sample == "" {
				continue
			}
			arguments, ok := withBody(t, o, op.Arguments(server.Firm()), body)
			if !ok {
				continue
			}
			server.ResetRequests()
			err := op.CallWith(t.Context(), client, arguments)
			line := []string{}
			if requests := server.Requests(); len(requests) > 0 {
				line = commandLine(t, o, server.BaseURL(), requests[0])
				line[len(line)-1] = body // unchanged
			}
			if wrong, is := errors.AsType[*practice.ArgumentError](err); is {
				refused++
				line = append(strings.Fields(examples[o.ID])[2:4], pathOf(o, examples[o.ID])...)
				got := execute(t, "", env, append(line, "--yes", "--body", body)...)
				assert.Equal(t, exitMisused, got.code, "%s %s: %s", o.ID, body, got.err)
				assert.Regexp(t, "--body|^practice: "+placeholder(wrong.Argument)+" ", got.err, "%s: %v", o.ID, wrong)
				continue
			}
			require.NotEmpty(t, line, "%s: %v", o.ID, err)
			byMethod := server.Requests()[0]
			server.ResetRequests()
			got := execute(t, "", env, line...)
			require.NotEmpty(t, server.Requests(), "%v: %s", line, got.err)
			byName := server.Requests()[0]
			assert.Equal(t, byMethod.Method+byMethod.Path, byName.Method+byName.Path)
			if len(byMethod.Body) > 0 {
				assert.JSONEq(t, string(byMethod.Body), string(byName.Body), o.ID)
			}
			sent++
		}
	}
	t.Logf("%d bodies were sent, %d refused", sent, refused)
	assert.Greater(t, sent+refused, 150)
}

// pathOf returns the arguments of the path in an example.
func pathOf(o practice.Operation, example string) []string {
	n := strings.Count(o.Path, "{")
	return split(example)[4 : 4+n]
}
