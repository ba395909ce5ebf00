package description_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/description"
)

// Folders of samples: those of operations that were described later, and those
// of the first ones. They are written by hand.
var (
	requestFolders = []string{"api/samples/requests", "models/testdata/requests", "practicetest/testdata/requests"}
	answerFolders  = []string{"api/samples/responses", "models/testdata/responses", "practicetest/testdata/samples"}
)

func load(t *testing.T) *description.Document {
	t.Helper()
	document, err := description.Load(os.DirFS("../../api"))
	require.NoError(t, err)
	return document
}

func operationsOf(document *description.Document) map[string]*description.Operation {
	operations := map[string]*description.Operation{}
	for _, a := range document.Areas {
		for _, o := range a.Operations {
			operations[o.ID] = o
		}
	}
	return operations
}

// judgeRequest checks the body of a request.
func judgeRequest(t *testing.T, j *judge, o *description.Operation, value any) {
	t.Helper()
	if !assert.NotNil(t, o.Body, "%s has no body", o.ID) {
		return
	}
	body := o.Body.Type
	if o.Body.List {
		body = &description.Type{Kind: description.List, Elem: body}
	}
	j.value(o.ID, body, description.Rules{}, value)
}

func TestTheSamplesOfInvalidRequestsAreNotAsDescribed(t *testing.T) {
	t.Parallel()
	operations := operationsOf(load(t))
	for _, folder := range []string{"models/testdata/requests-invalid", "practicetest/testdata/requests-invalid"} {
		files, err := filepath.Glob(filepath.Join("../..", folder, "*.json"))
		require.NoError(t, err)
		require.NotEmpty(t, files, folder)
		for _, file := range files {
			id, _, _ := strings.Cut(filepath.Base(file), ".")
			require.Contains(t, operations, id)
			j := &judge{sent: true, seen: map[string]bool{}}
			judgeRequest(t, j, operations[id], readJSON(t, file))
			assert.NotEmpty(t, j.faults, file)
		}
	}
}

func TestTheSamplesAreAsDescribed(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	document := load(t)
	operations := operationsOf(document)
	judged := func(sent bool, folders []string, judgeSample func(*judge, *description.Operation, any)) {
		for _, folder := range folders {
			files, err := filepath.Glob(filepath.Join("../..", folder, "*.json"))
			require.NoError(t, err)
			require.NotEmpty(t, files, folder)
			for _, file := range files {
				name := filepath.Base(file)
				id, _, _ := strings.Cut(name, ".")
				j := &judge{sent: sent, seen: seen}
				if assert.Contains(t, operations, id, name) {
					judgeSample(j, operations[id], readJSON(t, file))
				}
				assert.Empty(t, j.faults, "%s/%s", folder, name)
			}
		}
	}
	judged(true, requestFolders, func(j *judge, o *description.Operation, value any) { judgeRequest(t, j, o, value) })
	judged(false, answerFolders, func(j *judge, o *description.Operation, value any) {
		if assert.NotNil(t, o.Answer, "%s answers without a body", o.ID) {
			j.answer(o, value)
		}
	})
	judgeNotifications(t, document, seen)
	compareUncovered(t, document, seen)
}

// judgeNotifications checks the notifications that the service sends to
// webhooks, including the payloads.
func judgeNotifications(t *testing.T, document *description.Document, seen map[string]bool) {
	t.Helper()
	files, err := filepath.Glob("../../models/testdata/notifications/*.json")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		j := &judge{seen: seen}
		value, _ := readJSON(t, file).(map[string]any)
		j.object("notification", document.Schemas["Notification"], value)
		for _, payload := range document.Payloads {
			if value["type"] == payload.Event {
				j.object(payload.Event, payload.Schema, value["payload"])
			}
		}
		assert.Empty(t, j.faults, file)
	}
}

// compareUncovered compares the members without a sample with the list: a new
// member needs a sample or a line, and a member with a sample must not have a
// line.
func compareUncovered(t *testing.T, document *description.Document, seen map[string]bool) {
	t.Helper()
	missing := map[string]bool{}
	for _, s := range document.Schemas {
		for _, m := range s.Members {
			if name := s.Name + "." + m.Name; !seen[name] && s.Area.File != "common" {
				missing[name] = true
			}
		}
	}
	listed, err := description.Uncovered(os.DirFS("../../api"))
	require.NoError(t, err)
	for name := range listed {
		assert.True(t, missing[name], "api/samples/uncovered.txt: %s has a sample, or is not described: take the line away", name)
		delete(missing, name)
	}
	assert.Empty(t, slices.Sorted(maps.Keys(missing)), "members without a sample: add one, or a line to api/samples/uncovered.txt")
}

func readJSON(t *testing.T, file string) any {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var value any
	require.NoError(t, decoder.Decode(&value), file)
	return value
}
