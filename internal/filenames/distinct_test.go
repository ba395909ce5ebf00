package filenames_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/practicesdk/practice-go/internal/filenames"
)

func TestEntriesOfOneFolderHaveDistinctNames(t *testing.T) {
	t.Parallel()
	const first, second = "0a1b2c3d-0000-4000-8000-000000000001", "9f8e7d6c-0000-4000-8000-000000000002"
	file := func(name, id string) filenames.Entry { return filenames.Entry{Name: name, ID: id} }
	folder := func(name, id string) filenames.Entry { return filenames.Entry{Name: name, ID: id, Folder: true} }
	for _, test := range []struct {
		name            string
		entries         []filenames.Entry
		elements, local []string
	}{
		{"other names stay", []filenames.Entry{file("a.txt", first), folder("b", second)}, []string{"a.txt", "b"}, []string{"a.txt", "b"}},
		{
			"all of one name are marked, before an extension", []filenames.Entry{file("a.txt", first), file("a.txt", second)},
			[]string{"a (0a1b2c3d).txt", "a (9f8e7d6c).txt"}, []string{"a (0a1b2c3d).txt", "a (9f8e7d6c).txt"},
		},
		{
			"the name of a folder has no extension", []filenames.Entry{folder("v1.2", first), file("v1.2", second)},
			[]string{"v1.2 (0a1b2c3d)", "v1 (9f8e7d6c).2"}, []string{"v1.2 (0a1b2c3d)", "v1 (9f8e7d6c).2"},
		},
		{
			"upper and lower case are the same on disks only", []filenames.Entry{file("A.txt", first), file("a.txt", second)},
			[]string{"A.txt", "a.txt"}, []string{"A (0a1b2c3d).txt", "a (9f8e7d6c).txt"},
		},
		{
			"and so are two forms of a letter", []filenames.Entry{file("\u00dc.txt", first), file("U\u0308.txt", second)},
			[]string{"\u00dc.txt", "U\u0308.txt"}, []string{"\u00dc (0a1b2c3d).txt", "U\u0308 (9f8e7d6c).txt"},
		},
		{
			"ids that begin alike are written whole", []filenames.Entry{file("a", first), file("a", "0a1b2c3d-1")},
			[]string{"a (0a1b2c3d000040008000000000000001)", "a (0a1b2c3d1)"}, []string{"a (0a1b2c3d000040008000000000000001)", "a (0a1b2c3d1)"},
		},
		{
			"without an id the place tells them apart", []filenames.Entry{file("a.txt", ""), file("a.txt", "")},
			[]string{"a (+0).txt", "a (+1).txt"}, []string{"a (+0).txt", "a (+1).txt"},
		},
		{
			"a mark that is the name of another", []filenames.Entry{file("a", first), file("a", second), file("a (0a1b2c3d)", "77")},
			[]string{"a (0a1b2c3d000040008000000000000001)", "a (9f8e7d6c)", "a (0a1b2c3d) (77)"},
			[]string{"a (0a1b2c3d000040008000000000000001)", "a (9f8e7d6c)", "a (0a1b2c3d) (77)"},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, test.elements, filenames.DistinctElements(test.entries))
			assert.Equal(t, test.local, filenames.DistinctLocal(test.entries))
		})
	}
}

func TestAMarkedNameIsNoLongerThanFileSystemsHold(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("ä", 200)
	for _, got := range [][]string{
		filenames.DistinctElements([]filenames.Entry{{Name: long + ".pdf", ID: "a1"}, {Name: long + ".pdf", ID: "a2"}}),
		filenames.DistinctLocal([]filenames.Entry{{Name: long + ".pdf", ID: "a1"}, {Name: long + ".pdf", ID: "a2"}}),
	} {
		assert.NotEqual(t, got[0], got[1])
		for _, name := range got {
			assert.LessOrEqual(t, len(name), 255)
			assert.True(t, strings.HasSuffix(name, ".pdf"), name)
		}
	}
}

func TestAnElementOfAPathStaysAsItIsWhereItCan(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"Agenda.docx": "Agenda.docx", "con: a*?.txt ": "con: a*?.txt ", "合同.pdf": "合同.pdf",
		"": "_", ".": "_", "..": "__", "a/b\\c\x00d": "a_b_c_d", "\xff": "\uFFFD",
	} {
		assert.Equal(t, want, filenames.Element(name))
	}
}

func TestNewEntriesAvoidTheNamesOfThoseThatAreThere(t *testing.T) {
	t.Parallel()
	const first, second = "0a1b2c3d-0000-4000-8000-000000000001", "9f8e7d6c-0000-4000-8000-000000000002"
	file := func(name, id string) filenames.Entry { return filenames.Entry{Name: name, ID: id} }
	for _, test := range []struct {
		rule    string
		taken   []string
		entries []filenames.Entry
		want    []string
	}{
		{"nobody has the name", []string{"b"}, []filenames.Entry{file("a", first)}, []string{"a"}},
		{"somebody has it, in another case", []string{"A.txt"}, []filenames.Entry{file("a.txt", first)}, []string{"a (0a1b2c3d).txt"}},
		{"somebody has its safe form", []string{"a_b"}, []filenames.Entry{file("a:b", first)}, []string{"a_b (0a1b2c3d)"}},
		{"somebody has the mark too", []string{"a", "a (0a1b2c3d)"}, []filenames.Entry{file("a", first)}, []string{"a (0a1b2c3d000040008000000000000001)"}},
		{"two come at once", []string{"c"}, []filenames.Entry{file("a", first), file("a", second)}, []string{"a (0a1b2c3d)", "a (9f8e7d6c)"}},
		{
			"every mark is taken", []string{"a", "a (0a1b2c3d)", "a (0a1b2c3d000040008000000000000001)", "a (+0)"},
			[]filenames.Entry{file("a", first)}, []string{"a (+0+5)"},
		},
	} {
		assert.Equal(t, test.want, filenames.DistinctLocalBeside(test.entries, test.taken), test.rule)
	}
}

func TestNamesThatADiskTakesForOneHaveOneKey(t *testing.T) {
	t.Parallel()
	for _, names := range [][]string{{"Straße", "STRASSE", "strasse", "STRAẞE"}, {"ﬁle", "file", "FILE"}, {"oﬃce", "office"}, {"ﬆ", "st", "ﬅ"}, {"ü", "u\u0308", "Ü"}} {
		for _, name := range names {
			assert.Equal(t, filenames.OnDisk(names[0]), filenames.OnDisk(name), "%q", name)
		}
	}
	assert.NotEqual(t, filenames.OnDisk("Strase"), filenames.OnDisk("Straße"))
}
