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

// system returns the name under which a kind of file system stores a file, and
// whether it accepts the name at all. The implementations follow the
// documentation of the systems and not the code of Local.
type system func(name string) (kept string, takes bool)

// windows has device names, removes dots and spaces at the end, ignores case,
// and counts UTF-16 units.
func windows(name string) (string, bool) {
	device := regexp.MustCompile(`(?i)^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$) *(\..*)?$`)
	forbidden := regexp.MustCompile(`[\x00-\x1f<>:"/\\|?*]`)
	kept := strings.TrimRight(name, ". ")
	takes := kept != "" && !device.MatchString(kept) && !forbidden.MatchString(kept) && len(utf16.Encode([]rune(kept))) <= 255
	return strings.ToUpper(kept), takes
}

// macOS ignores case and Unicode normalization.
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

// madeUp returns a random name composed of parts that systems treat
// differently.
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

// TestEverySystemKeepsTheFilesOfAFolderApart applies the rules of each system
// to folders of hostile names: every name must be accepted and stored
// unchanged, and no two files may be the same.
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
				if !takes {
					t.Fatalf("%s refuses %q, of %q", on, name, entries[i].Name)
				}
				if other, taken := holders[kept]; taken {
					t.Fatalf("%s takes %q for %q, of %v", on, name, local[other], entries)
				}
				holders[kept] = i
				if name != strings.TrimRight(name, ". ") {
					t.Fatalf("%s loses the end of %q", on, name)
				}
			}
		}
	}
}

// TestTheRulesOfTheSystems checks that the simulated systems refuse and equate
// the names that the real ones do.
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

// TestEverySystemKeepsUnfinishedFilesApart creates unfinished files side by
// side: the first for a name, its twins, and those after the last twin.
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
