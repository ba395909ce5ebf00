package filenames_test

import (
	"math/rand/v2"
	"os"
	"regexp"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/filenames"
	"github.com/practicesdk/practice-go/internal/partfile"
)

// system says under which name a file system of its kind keeps a file of a
// name, and whether it takes the name at all. It is written from what the
// systems document, not from what Local does.
type system func(name string) (kept string, takes bool)

// windows has devices, cuts dots and spaces off the end, knows no upper and
// lower case, and counts units of UTF-16.
func windows(name string) (string, bool) {
	device := regexp.MustCompile(`(?i)^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$) *(\..*)?$`)
	forbidden := regexp.MustCompile(`[\x00-\x1f<>:"/\\|?*]`)
	kept := strings.TrimRight(name, ". ")
	takes := kept != "" && !device.MatchString(kept) && !forbidden.MatchString(kept) && len(utf16.Encode([]rune(kept))) <= 255
	return strings.ToUpper(kept), takes
}

// macOS knows neither case nor the form of a letter with an accent.
func macOS(name string) (string, bool) {
	takes := name != "" && name != "." && name != ".." && !strings.ContainsAny(name, "/:\x00") && len(utf16.Encode([]rune(name))) <= 255
	return strings.ToLower(filenames.Form(name)), takes
}

func linux(name string) (string, bool) {
	return name, name != "" && name != "." && name != ".." && !strings.ContainsAny(name, "/\x00") && len(name) <= 255
}

func systems() map[string]system {
	return map[string]system{"Windows": windows, "macOS": macOS, "Linux": linux}
}

// madeUp puts a name together of what the systems differ in.
func madeUp(random *rand.Rand) string {
	parts := []string{
		"con", "NUL", "com1", "LPT²", "aux", "clock$", "CONIN$", ".", "..", " ", ". ", "/", `\`, ":", "*", "?", `"`, "<", ">", "|", "~1", "\x00", "\n",
		"a", "A", "ä", "Ä", "a\u0308", "A\u0308", "ß", "ẞ", "ſ", "K", "\u212a", "合", "😀", ".txt", ".TXT", ".tar.gz", "x", " (0a1b2c3d)", "\u202e",
		strings.Repeat("w", 120), strings.Repeat("Ö", 90), strings.Repeat("😀", 40),
	}
	var name strings.Builder
	for range random.IntN(5) {
		name.WriteString(parts[random.IntN(len(parts))])
	}
	return name.String()
}

// TestEverySystemKeepsTheFilesOfAFolderApart gives folders of hostile names to
// the rules of each system: every name is taken, nothing is cut off, and no
// file is another one.
func TestEverySystemKeepsTheFilesOfAFolderApart(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		entries := make([]filenames.Entry, 1+random.IntN(12))
		for i := range entries {
			entries[i] = filenames.Entry{Name: madeUp(random), ID: string(rune('a' + random.IntN(3))), Folder: random.IntN(4) == 0}
		}
		local := filenames.DistinctLocal(entries)
		for on, keeps := range systems() {
			holders := map[string]int{}
			for i, name := range local {
				kept, takes := keeps(name)
				require.True(t, takes, "%s refuses %q, of %q", on, name, entries[i].Name)
				other, taken := holders[kept]
				require.False(t, taken, "%s takes %q for %q, of %q", on, name, local[other], entries)
				holders[kept] = i
				require.Equal(t, name, strings.TrimRight(name, ". "), "the end stays")
			}
		}
	}
}

// TestTheRulesOfTheSystems shows that the simulations refuse what the systems
// do, and equate what those equate.
func TestTheRulesOfTheSystems(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"CON", "nul.txt", "com1 .log", "LPT³", "a:b", "a?", "..", " ", strings.Repeat("a", 256)} {
		_, takes := windows(name)
		assert.False(t, takes, name)
	}
	for _, name := range []string{"console", "COM10", "lpt", "a.con", strings.Repeat("合", 255)} {
		_, takes := windows(name)
		assert.True(t, takes, name)
	}
	same := func(keeps system, a, b string) bool {
		one, _ := keeps(a)
		other, _ := keeps(b)
		return one == other
	}
	assert.True(t, same(windows, "a.TXT. ", "A.txt"))
	assert.True(t, same(macOS, "\u00c4", "a\u0308"))
	assert.False(t, same(linux, "a", "A"))
	_, takes := linux(strings.Repeat("合", 100))
	assert.False(t, takes, "300 bytes")
}

// TestEverySystemKeepsUnfinishedFilesApart begins files side by side: the first
// of a name, its twins, and those that come when there are no more twins.
func TestEverySystemKeepsUnfinishedFilesApart(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	require.NoError(t, err)
	defer func() { assert.NoError(t, root.Close()) }()
	for _, name := range []string{"a.txt", "A.TXT", "con", `a\b:*?`, strings.Repeat("😀", 300)} {
		for range 7 {
			part, _, err := partfile.Open(root, name, "file")
			require.NoError(t, err, name)
			defer func() { assert.NoError(t, part.Discard()) }()
		}
	}
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, entries, 5*7)
	for on, keeps := range systems() {
		kept := map[string]bool{}
		for _, entry := range entries {
			name, takes := keeps(entry.Name())
			assert.True(t, takes, "%s refuses %q", on, entry.Name())
			assert.False(t, kept[name], "%s takes %q for another file", on, entry.Name())
			kept[name] = true
			assert.NotEqual(t, entry.Name(), filenames.Local(entry.Name()), "no document is kept under it")
		}
	}
}
