package main

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the golden files anew")

const (
	fixtureDir = "testdata/fixture"
	goldenDir  = "testdata/golden"
	modelsDir  = "../../../models"
)

func TestFixtureGivesTheGoldenFiles(t *testing.T) {
	t.Parallel()
	files, err := generate(fixtureDir)
	require.NoError(t, err)
	require.Len(t, files, 2, "a file without records gives none")
	for name, text := range files {
		golden := filepath.Join(goldenDir, name+".golden")
		if *update {
			require.NoError(t, os.WriteFile(golden, text, 0o600))
		}
		want, err := os.ReadFile(golden)
		require.NoError(t, err)
		assert.Equal(t, string(want), string(text), "run go test -update if this is wanted")
	}
}

func TestGeneratedFilesOfTheModelsAreCurrent(t *testing.T) {
	t.Parallel()
	files, err := generate(modelsDir)
	require.NoError(t, err)
	present, err := filepath.Glob(filepath.Join(modelsDir, outputPrefix+"*.go"))
	require.NoError(t, err)
	assert.Len(t, files, len(present), "files without a source, or missing")
	for name, text := range files {
		current, err := os.ReadFile(filepath.Join(modelsDir, name))
		require.NoError(t, err, "run go generate ./models")
		assert.Equal(t, string(text), string(current), "%s: run go generate ./models", name)
	}
}

func TestTheSameSourceGivesTheSameText(t *testing.T) {
	t.Parallel()
	first, err := generate(modelsDir)
	require.NoError(t, err)
	second, err := generate(modelsDir)
	require.NoError(t, err)
	assert.Equal(t, first, second)
}

func TestRunWritesWhatChangedAndRemovesWhatIsStale(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, "a.go", "package p\ntype A struct {\n\tID string `json:\"id\"`\n\tExtra string `json:\"-\"`\n}\n")
	write(t, dir, "zz_gone.go", "package p\n")
	require.NoError(t, run(dir))
	require.NoFileExists(t, filepath.Join(dir, "zz_gone.go"))
	output := filepath.Join(dir, "zz_a.go")
	before, err := os.Stat(output)
	require.NoError(t, err)
	require.NoError(t, run(dir))
	after, err := os.Stat(output)
	require.NoError(t, err)
	assert.Equal(t, before.ModTime(), after.ModTime(), "a current file is left alone")
	write(t, dir, "a.go", "package p\n")
	require.NoError(t, run(dir))
	assert.NoFileExists(t, output)
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
}

func TestWhatCannotBeGeneratedIsNamed(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ fields, want string }{
		"map":                     {"M map[string]int `json:\"m\"`", "field M: the type map[string]int is not supported"},
		"pointer":                 {"P *string `json:\"p\"`", "field P: the type *string is not supported"},
		"float":                   {"F float64 `json:\"f\"`", "field F: the type float64 is not supported"},
		"any":                     {"A any `json:\"a\"`", "field A: the type any is not supported"},
		"type of another package": {"R json.RawMessage `json:\"r\"`", "field R: the type json.RawMessage is not supported"},
		"struct without methods":  {"L Loose `json:\"l\"`", "field L: the type Loose is not supported"},
		"list of lists":           {"L [][]string `json:\"l\"`", "field L: the type [][]string is not supported"},
		"list of options":         {"L []Opt[int] `json:\"l\"`", "field L: the type []Opt[int] is not supported"},
		"option of an option":     {"O Opt[Opt[int]] `json:\"o\"`", "field O: the type Opt[Opt[int]] is not supported"},
		"option of a map":         {"O Opt[map[string]int] `json:\"o\"`", "field O: the type map[string]int is not supported"},
		"isolated text":           {"T string `json:\"t\" codec:\"isolate\"`", "field T: only lists can be isolated"},
		"no tag":                  {"T string", "field T: no plain json name"},
		"no name in the tag":      {"T string `json:\",omitzero\"`", "field T: no plain json name"},
		"name that needs escapes": {"T string `json:\"a\\\"b\"`", "field T: no plain json name"},
		"name beyond ASCII":       {"T string `json:\"é\"`", "field T: no plain json name"},
		"two fields at once":      {"A, B string `json:\"a\"`", "field A: declare each field on its own"},
		"two members of a name":   {"A string `json:\"a\"`\n\tB int `json:\"a\"`", "two members named a"},
		"no members":              {"A string `json:\"-\"`", "no members"},
		"embedded record":         {"Other", "embedded Other: only plain structs"},
		"embedded stranger":       {"json.Number", "embedded : only plain structs"},
		"value without IsZero":    {"V Value `json:\"v\"`", "field V: the type Value has no IsZero method"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			write(t, dir, "a.go", "package p\n"+
				"type Loose struct{ A int }\n"+
				"type Other struct {\n\tID string `json:\"id\"`\n\tExtra string `json:\"-\"`\n}\n"+
				"type Value struct{}\nfunc (*Value) UnmarshalJSONFrom() {}\n"+
				"type Bad struct {\n\t"+c.fields+"\n\tExtra string `json:\"-\"`\n}\n")
			_, err := generate(dir)
			require.ErrorContains(t, err, "a.go: Bad: ")
			require.ErrorContains(t, err, c.want)
		})
	}
}

func TestSourcesThatCannotBeReadAreErrors(t *testing.T) {
	t.Parallel()
	_, err := generate(filepath.Join(t.TempDir(), "missing"))
	require.ErrorIs(t, err, os.ErrNotExist)
	dir := t.TempDir()
	_, err = generate(dir)
	require.ErrorContains(t, err, "no Go files")
	write(t, dir, "a.go", "package p\ntype A struct {")
	require.Error(t, run(dir))
}
