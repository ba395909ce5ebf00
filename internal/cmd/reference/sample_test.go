package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/cmd/generated"
	"github.com/practicesdk/practice-go/internal/description"
	"github.com/practicesdk/practice-go/internal/operations"
)

// module returns the folder of the module, and its description.
func module(t *testing.T) (string, *description.Document) {
	t.Helper()
	root, err := generated.Root()
	require.NoError(t, err)
	d, err := description.Load(os.DirFS(filepath.Join(root, "api")))
	require.NoError(t, err)
	return root, d
}

func TestEveryOperationHasASample(t *testing.T) {
	t.Parallel()
	root, d := module(t)
	found, err := samplesOf(t.Context(), d, os.DirFS(root))
	require.NoError(t, err)
	for _, o := range practice.Operations() {
		s := found[o.ID]
		assert.Contains(t, s.call.text, "client."+o.GoMethod+"(ctx", o.ID)
		assert.True(t, strings.HasPrefix(s.request, o.Method+" /"), o.ID)
		assert.False(t, o.Body == "" && s.body != "", "%s sends a body that is not described", o.ID)
		assert.NotZero(t, s.status, o.ID)
		if s.command == "" {
			assert.Equal(t, "requestPluginURL", o.ID, "the sandbox's token is that of a user")
		}
		if s.body != "" {
			assert.True(t, json.Valid([]byte(s.body)), o.ID)
		}
		if s.answer != "" {
			assert.True(t, json.Valid([]byte(s.answer)), o.ID)
		}
	}
}

func TestAnOperationWithoutACallHasNoPage(t *testing.T) {
	t.Parallel()
	_, d := module(t)
	require.ErrorContains(t, uncalled(d, nil), "has no listActivityCodes")
}

func TestAResponseWithoutTheBodyThatIsDescribedHasNoPage(t *testing.T) {
	t.Parallel()
	root, d := module(t)
	d.Operation("sendPortalMessage").Answer = d.Operation("updateFee").Answer
	_, err := samplesOf(t.Context(), d, os.DirFS(root))
	require.ErrorContains(t, err, "the handler of sendPortalMessage responds without a body, but api/ describes a Link")
}

// TestEveryCallCompiles compiles all sample calls, each as the body of a
// function.
func TestEveryCallCompiles(t *testing.T) {
	t.Parallel()
	root, d := module(t)
	constants := constantsOf(d)
	var source strings.Builder
	source.WriteString("package calls\n\nimport (\n\"context\"\n\"encoding/json\"\n\"io\"\n\"time\"\n\n" +
		"practice \"github.com/practicesdk/practice-go\"\n\"github.com/practicesdk/practice-go/models\"\n)\n\n" +
		"var _ json.RawMessage\nvar _ io.Writer\nvar _ time.Time\nvar _ models.Link\n\n")
	for _, op := range operations.All() {
		call, err := goCallOf(op, constants)
		require.NoError(t, err)
		parameters := "ctx context.Context, client *practice.Client"
		for _, name := range call.variables {
			parameters += ", " + name + " string"
		}
		if call.writes {
			parameters += ", w io.Writer"
		}
		fmt.Fprintf(&source, "func %s(%s) error {\n%s\n", op.ID, parameters, call.text)
		if call.result != "" {
			source.WriteString("_ = " + call.result + "\n")
		}
		source.WriteString("return err\n}\n\n")
	}
	dir := t.TempDir()
	file, overlay := filepath.Join(dir, "calls.go"), filepath.Join(dir, "overlay.json")
	require.NoError(t, os.WriteFile(file, []byte(source.String()), 0o600))
	replace, err := json.Marshal(map[string]any{"Replace": map[string]string{filepath.Join(root, "internal/cmd/reference/calls/calls.go"): file}})
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(overlay, replace, 0o600))
	command := exec.CommandContext(t.Context(), "go", "build", "-buildvcs=false", "-overlay", overlay, "./reference/calls")
	command.Dir = filepath.Join(root, "internal/cmd")
	out, err := command.CombinedOutput()
	assert.NoError(t, err, "%s", out)
}
