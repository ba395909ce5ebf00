package conformance_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// eachSample reads the samples of one kind that tests of other packages use.
// Their names begin with that of the operation.
func eachSample(t *testing.T, least int, test func(t *testing.T, operation string, text []byte), folders ...string) {
	t.Helper()
	count := 0
	for _, folder := range folders {
		files, err := filepath.Glob(filepath.Join("..", filepath.FromSlash(folder), "*.json"))
		require.NoError(t, err)
		count += len(files)
		for _, file := range files {
			operation, _, _ := strings.Cut(filepath.Base(file), ".")
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			t.Run(filepath.Base(file), func(t *testing.T) {
				t.Parallel()
				test(t, operation, text)
			})
		}
	}
	assert.GreaterOrEqual(t, count, least)
}

// requestOf validates a request body against the document, including unknown
// members.
func (d *document) requestOf(t *testing.T, operation string, text []byte) error {
	t.Helper()
	of, known := d.endpoints()[operation]
	require.True(t, known, operation)
	members, err := findMembers(of.requestSchema(), text, operation)
	return errors.Join(append(unknownMembers(members, err), match(of.requestSchema(), text))...)
}

func TestTheSamplesOfRequestsAreAsDescribed(t *testing.T) {
	t.Parallel()
	described := load(t, "")
	eachSample(t, 184, func(t *testing.T, operation string, text []byte) {
		assert.NoError(t, described.requestOf(t, operation, text))
	}, "api/samples/requests", "models/testdata/requests", "practicetest/testdata/requests")
}

func TestTheSamplesOfInvalidRequestsAreNot(t *testing.T) {
	t.Parallel()
	described := load(t, "")
	eachSample(t, 32, func(t *testing.T, operation string, text []byte) {
		var refusal *openapi3.SchemaError
		assert.ErrorAs(t, described.requestOf(t, operation, text), &refusal)
	}, "models/testdata/requests-invalid", "practicetest/testdata/requests-invalid")
}

func TestTheSamplesOfAnswersAreAsDescribed(t *testing.T) {
	t.Parallel()
	described := load(t, "")
	eachSample(t, 258, func(t *testing.T, operation string, text []byte) {
		schema := described.endpoints()[operation].successSchema()
		require.NotNil(t, schema, "the operation answers without a body")
		assert.NoError(t, match(schema, text))
	}, "api/samples/responses", "models/testdata/responses", "practicetest/testdata/samples")
}

func TestTheSamplesOfErrorsAreAsDescribed(t *testing.T) {
	t.Parallel()
	described := load(t, "")
	eachSample(t, 7, func(t *testing.T, name string, text []byte) {
		err := described.matches("Problem", text)
		if name == "not-json" || name == "empty-body" {
			assert.Error(t, err)
		} else {
			assert.NoError(t, err)
		}
	}, "models/testdata/errors")
}

func TestTheSamplesOfNotificationsAreAsDescribed(t *testing.T) {
	t.Parallel()
	described := load(t, "")
	eachSample(t, 5, func(t *testing.T, operation string, text []byte) {
		require.Equal(t, "onNotification", operation)
		require.NoError(t, described.matches("Notification", text))
		var body struct {
			Type    string
			Payload json.RawMessage
		}
		require.NoError(t, json.Unmarshal(text, &body))
		if schema := payloads[body.Type]; schema != "" {
			assert.NoError(t, described.matches(schema, body.Payload))
		}
	}, "models/testdata/notifications")
}
