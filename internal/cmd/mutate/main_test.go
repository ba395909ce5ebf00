package main

import (
	"bytes"
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const root = "../../.."

func TestThereAreMutantsOfEveryKind(t *testing.T) {
	t.Parallel()
	all, err := mutants(root)
	require.NoError(t, err)
	var kinds []string
	for _, m := range chosen(all, regexp.MustCompile(""), true, false) {
		kinds = append(kinds, m.kind)
		assert.NotEmpty(t, m.files, m.kind)
	}
	slices.Sort(kinds)
	assert.Equal(t, []string{
		"client: class", "client: limit", "client: member", "client: method", "client: path", "client: query",
		"description: class", "description: limit", "description: member", "description: method", "description: path",
	}, kinds)
}

func TestEveryMutantChangesAFile(t *testing.T) {
	t.Parallel()
	all, err := mutants(root)
	require.NoError(t, err)
	for _, m := range all {
		for name, text := range m.files {
			before, err := read(root, name)
			require.NoError(t, err)
			assert.NotEqual(t, before, text, "%s", m)
		}
	}
}

func TestAMutantMustBeNamed(t *testing.T) {
	t.Parallel()
	said := "Fees.Patch (patchFee): path: the client says /a, the description says /b"
	assert.True(t, mutant{operation: "Fees.Patch"}.named(said))
	assert.True(t, mutant{}.named(said))
	assert.False(t, mutant{operation: "Fees.List"}.named(said))
	assert.False(t, mutant{}.named("panic: something else"))
	assert.True(t, mutant{kind: "description: path", files: map[string]string{"api/fees.yaml": ""}}.named("fees.yaml:7: call is also at fees.yaml:9"))
}

func TestAWrongCommandLineIsRefused(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"-kind", "("}, {"-all"}} {
		assert.Error(t, run(t.Context(), root, args, new(bytes.Buffer)))
	}
}
