package filenames_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/filenames"
)

func TestNamesThatAreSafeStayAsTheyAre(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"Agenda.docx", "Brief – ä.final.pdf", "合同.pdf", "a b.txt", ".profile", "no extension", "~draft.doc", "x~y.txt",
		"console.txt", "COM10.txt", "COMMA", "nullable", "lpt", strings.Repeat("a", filenames.MaxLocalBytes),
	} {
		assert.Equal(t, name, filenames.Local(name))
	}
}

func TestNamesThatAreNotSafeAreMadeSo(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"":                       "_",
		".":                      "_",
		"..":                     "__",
		"../../etc/passwd":       ".._.._etc_passwd",
		`..\..\windows\win.ini`:  ".._.._windows_win.ini",
		"/etc/passwd":            "_etc_passwd",
		`C:\boot.ini`:            "C__boot.ini",
		"C:relative":             "C_relative",
		"file.txt:stream":        "file.txt_stream",
		"file.txt::$DATA":        "file.txt__$DATA",
		`\\server\share`:         "__server_share",
		"a\x00b":                 "a_b",
		"a\nb\tc\x7fd":           "a_b_c_d",
		"a\u0085b\u2028c":        "a_b_c",
		"exe.\u202efdp.scr":      "exe._fdp.scr",
		"bad \xff utf-8":         "bad _ utf-8",
		"what?*<>|\"":            "what______",
		"trailing.":              "trailing_",
		"trailing. . ":           "trailing____",
		" leading":               "_leading",
		"   ":                    "___",
		"CON":                    "_CON",
		"nul.txt":                "_nul.txt",
		"Aux.tar.gz":             "_Aux.tar.gz",
		"com1":                   "_com1",
		"LPT9.doc":               "_LPT9.doc",
		"COM².txt":               "_COM².txt",
		"CON .txt":               "_CON .txt",
		"CONOUT$":                "_CONOUT$",
		"NUL:":                   "NUL_",
		"LONGNA~1.TXT":           "LONGNA_1.TXT",
		".practice-0123.part":    "_.practice-0123.part",
		".Practice-0123.PART":    "_.Practice-0123.PART",
		"nested/..":              "nested___",
		"trailing space.pdf ":    "trailing space.pdf_",
		"two\u2066directions.md": "two_directions.md",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, want, filenames.Local(name))
			staysInItsFolder(t, want)
		})
	}
}

// staysInItsFolder creates a file of that name and checks that it is the only
// entry, under that name.
func staysInItsFolder(t *testing.T, name string) {
	t.Helper()
	dir := t.TempDir()
	inside := filepath.Join(dir, "inside")
	require.NoError(t, os.Mkdir(inside, 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(inside, name), nil, 0o600))
	for folder, want := range map[string]string{dir: "inside", inside: name} {
		entries, err := os.ReadDir(folder)
		require.NoError(t, err)
		require.Len(t, entries, 1)
		assert.Equal(t, want, entries[0].Name())
	}
}

func TestLongNamesKeepBeginningAndExtension(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("Ä", 150)
	first, second := filenames.Local(long+"1.pdf"), filenames.Local(long+"2.pdf")
	assert.NotEqual(t, first, second)
	for _, name := range []string{first, second} {
		assert.LessOrEqual(t, len(name), filenames.MaxLocalBytes)
		assert.True(t, strings.HasPrefix(name, strings.Repeat("Ä", 80)))
		assert.True(t, strings.HasSuffix(name, ".pdf"))
	}
	endless := filenames.Local("a." + strings.Repeat("b", 500))
	assert.LessOrEqual(t, len(endless), filenames.MaxLocalBytes, "an extension of any length")
	for size := filenames.MaxLocalBytes - 5; size < filenames.MaxLocalBytes+5; size++ {
		assert.LessOrEqual(t, len(filenames.Local("CON."+strings.Repeat("b", size))), filenames.MaxLocalBytes)
	}
}

// FuzzOf checks the rules for any name.
func FuzzOf(f *testing.F) {
	for _, seed := range []string{
		"", ".", "..", "../x", `..\x`, "C:", "NUL", "com1.txt", "a\x00b", "\xff", "a.", "a ", "~1", strings.Repeat("é", 300), "\u202e", ".practice-",
		"CON." + strings.Repeat("x", 196), "CON" + strings.Repeat(" ", 300) + ".txt", strings.Repeat("x", 199) + "~1", strings.Repeat(" ", 250),
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, name string) {
		safe := filenames.Local(name)
		assert.Equal(t, safe, filenames.Local(safe), "what is safe stays as it is")
		assert.NotEmpty(t, safe)
		assert.LessOrEqual(t, len(safe), filenames.MaxLocalBytes)
		assert.True(t, utf8.ValidString(safe))
		assert.True(t, filepath.IsLocal(safe))
		assert.NotContains(t, []string{".", ".."}, safe)
		assert.False(t, strings.ContainsAny(safe, `/\:*?"<>|`), safe)
		assert.False(t, strings.ContainsFunc(safe, unicode.IsControl), safe)
		assert.Equal(t, strings.TrimRight(safe, ". "), safe)
		base, _, _ := strings.Cut(strings.ToUpper(safe), ".")
		assert.NotContains(t, []string{"CON", "PRN", "AUX", "NUL", "COM1", "COM9", "LPT1", "LPT9"}, strings.TrimRight(base, " "))
	})
}
