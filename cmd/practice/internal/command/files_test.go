package command

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/mirror"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

// cabinet is a service whose first matter, 10001, has the seeded files and some
// with odd names.
type cabinet struct {
	*practicetest.Server
	env    map[string]string
	matter string
	dir    string // local
}

func newCabinet(t *testing.T) *cabinet {
	t.Helper()
	server, env := service(t)
	env["PRACTICE_CONFIG_DIR"] = t.TempDir()
	return &cabinet{server, env, server.Firm().MatterID, t.TempDir()}
}

// add adds a file to the root folder of the matter.
func (c *cabinet) add(t *testing.T, name, content string) (id string) {
	t.Helper()
	id = c.AddFile(c.matter, models.FileCreate{FileName: name})
	c.Settle()
	require.True(t, c.SetFileContent(id, []byte(content)))
	c.Settle()
	return id
}

// files runs practice files on the matter.
func (c *cabinet) files(t *testing.T, stdin, command string, args ...string) result {
	t.Helper()
	return execute(t, stdin, c.env, append(append([]string{"files"}, strings.Fields(command)...), args...)...)
}

// contents returns the contents of the files of a name in the root folder.
func (c *cabinet) contents(t *testing.T, name string) (all []string) {
	t.Helper()
	c.Settle()
	got := execute(t, "", c.env, "documents", "list-files", c.matter, "--all", "-o", "jsonl")
	require.Equal(t, exitDone, got.code, got.err)
	for line := range strings.Lines(got.out) {
		var file models.File
		require.NoError(t, json.Unmarshal([]byte(line), &file))
		if file.FileName() == name {
			content, _ := c.FileContent(file.ID)
			all = append(all, string(content))
		}
	}
	return all
}

// local writes a local file and returns its path.
func (c *cabinet) local(t *testing.T, name, content string) string {
	t.Helper()
	place := filepath.Join(c.dir, name)
	require.NoError(t, os.WriteFile(place, []byte(content), 0o600))
	return place
}

func TestFilesAreListedByPathsThatOtherCommandsTake(t *testing.T) {
	t.Parallel()
	c := newCabinet(t)
	c.add(t, "a/b.txt", "slash")
	first, second := c.add(t, "Twin.txt", "one"), c.add(t, "Twin.txt", "two")
	c.add(t, "bell\a.txt", "bell")
	got := c.files(t, "", "ls 10001 -R -o jsonl")
	require.Equal(t, exitDone, got.code, got.err)
	seen := map[string]string{}
	for line := range strings.Lines(got.out) {
		var l listedFile
		require.NoError(t, json.Unmarshal([]byte(line), &l))
		seen[l.Path] = l.ID
		if !strings.HasSuffix(l.Path, "/") {
			read := c.files(t, "", "cat 10001", l.Path)
			require.Equal(t, exitDone, read.code, "%s: %s", l.Path, read.err)
			content, _ := c.FileContent(l.ID)
			assert.Equal(t, string(content), read.out)
			assert.EqualValues(t, len(content), *l.Size)
		}
	}
	assert.Contains(t, seen, "Letters/2024/Drafts/Draft.docx")
	assert.Contains(t, seen, "Letters/")
	assert.Contains(t, seen, "a_b.txt")
	assert.Contains(t, seen, "Twin ("+first[:8]+").txt")
	assert.Contains(t, seen, "Twin ("+second[:8]+").txt")
	assert.NotContains(t, got.out, "\a")
	assert.NotContains(t, seen, "Letters/Not uploaded.pdf")

	table := c.files(t, "", "ls 10001 /Letters/2024/ -o table")
	assert.Equal(t, "PATH                  SIZE  MODIFIED\nLetters/2024/Drafts/\n", table.out)
	assert.Contains(t, c.files(t, "", "ls", c.matter, "Letters/2024/Drafts/Draft.docx", "-o", "csv").out, "path,size,modified,id\nLetters/2024/Drafts/Draft.docx,")
}

func TestAPathThatIsWrongSaysWhatIsThere(t *testing.T) {
	t.Parallel()
	c := newCabinet(t)
	first, second := c.add(t, "Twin.txt", "one"), c.add(t, "Twin.txt", "two")
	c.add(t, "\u00dc.txt", "form")
	file := c.local(t, "Twin.txt", "three")
	for _, test := range []struct {
		command string
		args    []string
		code    int
		says    string
	}{
		{"ls", []string{"77777"}, exitNotFound, `no matter has the number "77777"`},
		{"ls", []string{""}, exitMisused, "MATTER must not be empty"},
		{"ls", []string{"47dad59d-4f50-4910-aedb-bd998950cf03"}, exitNotFound, "404"},
		{"cat 10001", []string{"Leters/x"}, exitNotFound, `"Leters" does not exist in the matter; did you mean Letters?`},
		{"cat 10001", []string{"Letters/Letter 01.pfd"}, exitNotFound, "did you mean Letter 01.pdf?"},
		{"cat 10001", []string{"Twin.txt"}, exitFailed, "Twin (" + first[:8] + `).txt" "Twin (` + second[:8] + `).txt"]`},
		{"put 10001", []string{file}, exitFailed, "choose one"},
		{"put 10001 --replace", []string{file}, exitFailed, "choose one"},
		{"cat 10001", []string{"U\u0308.txt"}, exitFailed, "choose one"},
		{"cat 10001", []string{"Letters"}, exitMisused, "is a folder"},
		{"get 10001", []string{"/"}, exitMisused, "is a folder"},
		{"cat 10001", []string{"Twin (" + first[:8] + ").txt/"}, exitMisused, "is a file"},
		{"cat 10001", []string{"Twin (" + first[:8] + ").txt/x"}, exitMisused, "is a file, not a folder"},
		{"cat 10001", nil, exitMisused, "requires PATH"},
		{"put 10001", []string{c.dir}, exitMisused, "use practice files mirror push"},
		{"put 10001", []string{file, "New/"}, exitNotFound, "use --parents"},
		{"put 10001", []string{file, "New/name.txt"}, exitNotFound, "use --parents"},
		{"put 10001", []string{file, "Twin (" + first[:8] + ").txt/x.txt"}, exitMisused, "is a file"},
		{"put 10001", []string{c.local(t, ".practice-1.part", "x")}, exitMisused, "are reserved for"},
		{"put 10001", []string{"-", "Letters"}, exitMisused, "PATH must end with a file name"},
		{"put 10001 --dry-run", []string{file}, exitMisused, "--dry-run"},
		{"mirror push 10001", []string{filepath.Join(c.dir, "nowhere"), "/"}, exitMisused, "not a local folder"},
		{"mirror push 10001", []string{c.dir, "nowhere"}, exitNotFound, "nowhere"},
		{"mirror pull 10001 --conflict none", []string{"/", c.dir}, exitMisused, "--conflict"},
		{"mirro", nil, exitMisused, "did you mean mirror?"},
	} {
		got := c.files(t, "", test.command, test.args...)
		assert.Equal(t, test.code, got.code, "%s %q: %s", test.command, test.args, got.err)
		assert.Contains(t, got.err, test.says, "%s %q", test.command, test.args)
	}
	assert.Equal(t, []string{"one", "two"}, c.contents(t, "Twin.txt"))
	chosen := c.files(t, "", "put 10001 --replace", file, "Twin ("+second[:8]+").txt")
	assert.Equal(t, exitDone, chosen.code, chosen.err)
	assert.Equal(t, []string{"one", "three"}, c.contents(t, "Twin.txt"))
}

// The numbers of matters need not be unique.
func TestAMatterIsFoundByItsNumber(t *testing.T) {
	t.Parallel()
	c := newCabinet(t)
	second := execute(t, "", c.env, "matters", "list", "--jq", ".id", "-o", "jsonl", "--all")
	ids := strings.Fields(strings.ReplaceAll(second.out, `"`, ""))
	require.Len(t, ids, 2)
	assert.Equal(t, exitDone, c.files(t, "", "ls 10002").code)
	renumbered := execute(t, "", c.env, "matters", "patch", ids[1], "--set", "number=10001")
	require.Equal(t, exitDone, renumbered.code, renumbered.err)
	c.Settle()
	got := c.files(t, "", "ls 10001")
	assert.Equal(t, exitFailed, got.code)
	for _, id := range ids {
		assert.Contains(t, got.err, id)
		assert.Equal(t, exitDone, c.files(t, "", "ls", strings.ToUpper(id)).code)
	}
	assert.Equal(t, exitNotFound, c.files(t, "", "ls 1000").code, "no part of a number")
}

func TestALocalFileIsNeverLost(t *testing.T) {
	t.Parallel()
	c := newCabinet(t)
	c.add(t, "CON: a?.txt", "new content")
	place := c.local(t, "old.txt", "old content")
	read := func(name string) string {
		content, err := os.ReadFile(name)
		require.NoError(t, err)
		return string(content)
	}
	get := func(args ...string) result {
		return c.files(t, "", "get 10001", append([]string{"CON: a?.txt"}, args...)...)
	}

	got := get(c.dir)
	require.Equal(t, exitDone, got.code, got.err)
	assert.Equal(t, "new content", read(filepath.Join(c.dir, "CON_ a_.txt")), "the name is safe on every system")
	assert.Contains(t, got.out, `"size": 11`)
	assert.Equal(t, exitMisused, get(c.dir+"/").code, "it exists now")

	refused := get(place)
	assert.Equal(t, exitMisused, refused.code)
	assert.Contains(t, refused.err, "old.txt already exists: use --force to overwrite it")
	c.Inject(practicetest.Fault{Operation: "storage.get", Kind: practicetest.FaultTruncated, Times: -1, After: 4})
	broken := get(place, "--force")
	assert.NotEqual(t, exitDone, broken.code)
	assert.Equal(t, "old content", read(place))
	c.ClearFaults()
	replaced := get(place, "--force")
	require.Equal(t, exitDone, replaced.code, replaced.err)
	assert.Equal(t, "new content", read(place))

	assert.Equal(t, "new content", get("-").out)
	assert.Equal(t, exitMisused, get(filepath.Join(c.dir, "nowhere", "x.txt")).code)
	entries, err := os.ReadDir(c.dir)
	require.NoError(t, err)
	assert.Len(t, entries, 2, "nothing unfinished is left")
}

func TestAFileIsSentOnceAndReplacedOnRequest(t *testing.T) {
	t.Parallel()
	c := newCabinet(t)
	place := c.local(t, "note.txt", "first")
	got := c.files(t, "", "put 10001", place)
	require.Equal(t, exitDone, got.code, got.err)
	var sent sentFile
	require.NoError(t, json.Unmarshal([]byte(got.out), &sent))
	assert.Equal(t, sentFile{mirror.Created, sent.ID, "note.txt", 5}, sent)
	assert.Contains(t, c.files(t, "", "put 10001", place, "/").out, `"action": "kept"`)
	c.local(t, "note.txt", "second")
	again := c.files(t, "", "put 10001", place, "/")
	assert.Equal(t, exitMisused, again.code)
	assert.Contains(t, again.err, `"note.txt" already exists: use --replace to add a new version`)
	assert.Equal(t, []string{"first"}, c.contents(t, "note.txt"))
	replaced := c.files(t, "", "put 10001 --replace", place, "note.txt")
	require.Equal(t, exitDone, replaced.code, replaced.err)
	assert.Contains(t, replaced.out, `"action": "updated"`)
	assert.Equal(t, []string{"second"}, c.contents(t, "note.txt"))

	piped := c.files(t, "from a pipe", "put 10001 - New/Folder/piped.txt --parents")
	require.Equal(t, exitDone, piped.code, piped.err)
	assert.Equal(t, "from a pipe", c.files(t, "", "cat 10001 New/Folder/piped.txt").out)
	assert.Equal(t, exitMisused, c.files(t, "x", "put 10001 - New/Folder/piped.txt --parents").code)
	inFolder := c.files(t, "", "put 10001", place, "New/Folder")
	require.Equal(t, exitDone, inFolder.code, inFolder.err)
	assert.Contains(t, inFolder.out, `"path": "New/Folder/note.txt"`)
}

// After a lost response or a broken transfer, one file has the content.
func TestNoFailureMakesASecondFile(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		fault practicetest.Fault
		code  int // of the first command
	}{
		"a lost response to the create":     {practicetest.Fault{Operation: "createFile", Kind: practicetest.FaultResetAfter}, exitDone},
		"a gateway that fails after it":     {practicetest.Fault{Operation: "createFile", Kind: practicetest.FaultTruncated}, exitDone},
		"the create did not arrive":         {practicetest.Fault{Operation: "createFile", Status: 403}, exitNotAllowed},
		"no content arrives":                {practicetest.Fault{Operation: "storage.put", Status: 503, Times: 4}, exitIncomplete},
		"a lost response to the content":    {practicetest.Fault{Operation: "storage.put", Kind: practicetest.FaultResetAfter}, exitDone},
		"the content is refused for good":   {practicetest.Fault{Operation: "storage.put", Status: 400}, exitIncomplete},
		"nothing lists the file in between": {practicetest.Fault{Operation: "getRootFolder", Skip: 2, Status: 500, Times: 4}, exitDone},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newCabinet(t)
			place := c.local(t, "once.txt", "content")
			c.Inject(test.fault)
			first := c.files(t, "", "put 10001", place)
			assert.Equal(t, test.code, first.code, first.err)
			if test.code == exitIncomplete {
				assert.Contains(t, first.err, "To continue, run the same command again.")
			}
			c.ClearFaults()
			c.Settle()
			again := c.files(t, "", "put 10001", place)
			assert.Equal(t, exitDone, again.code, again.err)
			assert.Equal(t, []string{"content"}, c.contents(t, "once.txt"))
			left, err := os.ReadDir(filepath.Join(c.env["PRACTICE_CONFIG_DIR"], "files"))
			assert.True(t, err != nil || len(left) == 0, "no journal is left: %v", left)
		})
	}
}

func TestAReadOnlyProfileSendsNoFile(t *testing.T) {
	t.Parallel()
	c := newCabinet(t)
	c.env[readOnlyVariable] = "1"
	place := c.local(t, "note.txt", "text")
	c.ResetRequests()
	for _, command := range []string{"put 10001 " + place, "mirror push 10001 " + c.dir + " / --yes"} {
		got := c.files(t, "", command)
		assert.Equal(t, exitNotAllowed, got.code, got.err)
		assert.Empty(t, c.Requests(), command)
	}
	assert.Equal(t, exitDone, c.files(t, "", "mirror push 10001 "+c.dir+" /").code, "a plan reads")
	assert.Equal(t, exitDone, c.files(t, "", "mirror pull 10001 Letters "+filepath.Join(c.dir, "pulled")+" --yes").code)
}

func TestAMirrorShowsItsPlanFirst(t *testing.T) {
	t.Parallel()
	c := newCabinet(t)
	dir := filepath.Join(c.dir, "letters")
	mirrored := func(command string) result { return c.files(t, "", "mirror "+command+" -o csv") }
	planned := mirrored("pull 10001 Letters/2024 " + dir)
	require.Equal(t, exitDone, planned.code, planned.err)
	assert.Contains(t, planned.out, "action,path,size,error,from,copy,id\ncreated,Drafts/Draft.docx,")
	assert.Contains(t, planned.err, "Plan: 1 created; ")
	assert.NoDirExists(t, dir)
	pulled := mirrored("pull 10001 Letters/2024 " + dir + " --yes")
	require.Equal(t, exitDone, pulled.code, pulled.err)
	assert.Equal(t, planned.out, pulled.out, "the plan is what is done")
	assert.FileExists(t, filepath.Join(dir, "Drafts", "Draft.docx"))
	assert.Contains(t, mirrored("pull 10001 Letters/2024 "+dir+" --yes --dry-run").err, "Plan: 1 kept")

	require.NoError(t, os.Rename(filepath.Join(dir, "Drafts", "Draft.docx"), filepath.Join(dir, "Final.docx")))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "New.txt"), []byte("new"), 0o600))
	for range 2 {
		assert.Contains(t, mirrored("push 10001 "+dir+" Letters/2024").err, "1 created, 1 moved")
	}
	pushed := mirrored("push 10001 " + dir + " Letters/2024 --yes")
	require.Equal(t, exitDone, pushed.code, pushed.err)
	assert.Equal(t, "new", c.files(t, "", "cat 10001 Letters/2024/New.txt").out)
}

func TestAMirrorDeletesOnlyWhatItSays(t *testing.T) {
	t.Parallel()
	c := newCabinet(t)
	dir := filepath.Join(c.dir, "letters")
	require.Equal(t, exitDone, c.files(t, "", "mirror pull 10001 Letters --yes "+dir).code)
	letters, err := filepath.Glob(filepath.Join(dir, "*.pdf"))
	require.NoError(t, err)
	require.Greater(t, len(letters), 10)
	count := func() int {
		c.Settle()
		return strings.Count(c.files(t, "", "ls 10001 Letters -o jsonl").out, ".pdf")
	}
	before := count()
	require.NoError(t, os.Remove(letters[0]))
	assert.Contains(t, c.files(t, "", "mirror push 10001 "+dir+" Letters").err, "1 gone")
	assert.Contains(t, c.files(t, "", "mirror push --delete 10001 "+dir+" Letters").err, "1 removed")
	assert.Equal(t, before, count())
	got := c.files(t, "", "mirror push --delete --yes 10001 "+dir+" Letters")
	require.Equal(t, exitDone, got.code, got.err)
	assert.Equal(t, before-1, count())

	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, entry := range entries {
		if !strings.HasPrefix(entry.Name(), ".practice-") {
			require.NoError(t, os.RemoveAll(filepath.Join(dir, entry.Name())))
		}
	}
	for _, yes := range []string{"", " --yes"} {
		braked := c.files(t, "", "mirror push --delete 10001 "+dir+" Letters -o csv"+yes)
		assert.Equal(t, exitFailed, braked.code, braked.err)
		assert.Contains(t, braked.err, "allow the deletions with --max-delete")
		assert.Equal(t, yes == "", strings.Contains(braked.out, "removed,"), "the plan is shown")
	}
	assert.Equal(t, before-1, count())
	all := c.files(t, "", "mirror push --delete --max-delete=-1 --yes 10001 "+dir+" Letters")
	require.Equal(t, exitDone, all.code, all.err)
	assert.Zero(t, count())
}

// cutter is Ctrl-C in the middle of a transfer.
type cutter struct {
	http.RoundTripper
	storage string
	stop    func()
}

func (c cutter) RoundTrip(r *http.Request) (*http.Response, error) {
	const part = 1 << 19
	if !strings.HasPrefix(r.URL.String(), c.storage) {
		return c.RoundTripper.RoundTrip(r)
	}
	if r.Method == http.MethodPut {
		_, _ = io.CopyN(io.Discard, r.Body, part)
		_ = r.Body.Close()
		c.stop()
		return nil, r.Context().Err()
	}
	resp, err := c.RoundTripper.RoundTrip(r)
	if err == nil {
		begin, _ := io.ReadAll(io.LimitReader(resp.Body, part))
		resp.Body = struct {
			io.Reader
			io.Closer
		}{io.MultiReader(bytes.NewReader(begin), ended(func() error {
			c.stop()
			return r.Context().Err()
		})), resp.Body}
	}
	return resp, err
}

// ended is a reader that has nothing but an error.
type ended func() error

func (e ended) Read([]byte) (int, error) { return 0, e() }

func TestCtrlCLeavesATransferThatGoesOn(t *testing.T) {
	t.Parallel()
	c := newCabinet(t)
	content := strings.Repeat("0123456789abcdef", 1<<16)
	c.add(t, "large.txt", content)
	place := c.local(t, "sent.txt", content)
	for _, line := range [][]string{
		{"files", "get", "10001", "large.txt", filepath.Join(c.dir, "large.txt")}, {"files", "put", "10001", place},
	} {
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		var out, said bytes.Buffer
		a := &app{Streams: Streams{strings.NewReader(""), &out, &said}, env: variables(t, c.env), wire: &http.Client{Transport: cutter{http.DefaultTransport, c.StorageURL(), stop}}}
		assert.Equal(t, exitInterrupted, a.execute(ctx, line), said.String())
		assert.Contains(t, said.String(), "To continue, run the same command again.")
		a.close()
		again := execute(t, "", c.env, line...)
		assert.Equal(t, exitDone, again.code, again.err)
		assert.Equal(t, line[1] == "get", strings.Contains(again.out, `"resumed": `), again.out)
	}
	sent := c.contents(t, "sent.txt")
	require.Len(t, sent, 1)
	assert.Zero(t, strings.Compare(content, sent[0]), "%d bytes", len(sent[0]))
	got, err := os.ReadFile(filepath.Join(c.dir, "large.txt"))
	require.NoError(t, err)
	assert.Zero(t, strings.Compare(content, string(got)), "%d bytes", len(got))
}

// TestAnErrorOfFilesNamesTheCommandThatWasCalled refuses each request for
// folders or files.
func TestAnErrorOfFilesNamesTheCommandThatWasCalled(t *testing.T) {
	t.Parallel()
	c := newCabinet(t)
	local := c.local(t, "x.txt", "x")
	for _, args := range [][]string{{"ls", "10001"}, {"cat", "10001", "a.txt"}, {"get", "10001", "a.txt"}, {"put", "10001", local}, {"ls", "10001", "a", "-o", "json"}} {
		c.Inject(practicetest.Fault{Operation: "getRootFolder", Kind: practicetest.FaultStatus, Status: http.StatusForbidden, Times: -1})
		got := execute(t, "", c.env, append([]string{"files"}, args...)...)
		assert.Equal(t, exitNotAllowed, got.code, got.err)
		assert.Contains(t, got.err, "practice files "+args[0]+": status 403", args)
		assert.NotContains(t, got.err, "list-root-folder", args)
	}
}

// TestNoNameLeavesTheLocalFolder saves files whose names are paths, devices or
// links to another folder.
func TestNoNameLeavesTheLocalFolder(t *testing.T) {
	t.Parallel()
	c := newCabinet(t)
	outside := t.TempDir()
	const content = "own content"
	own := filepath.Join(outside, "own.txt")
	require.NoError(t, os.WriteFile(own, []byte(content), 0o600))
	for _, link := range []string{"link.txt", "Escape"} {
		target := map[string]string{"link.txt": own, "Escape": outside}[link]
		require.NoError(t, os.Symlink(target, filepath.Join(c.dir, link)))
	}
	folder := c.AddFolder(c.matter, models.FolderWrite{Name: "Odd"})
	escape := c.AddFolder(c.matter, models.FolderWrite{Name: "Escape", ParentFolderID: folder})
	c.Settle()
	add := func(name, folder string) {
		id := c.AddFile(c.matter, models.FileCreate{FileName: name, FolderID: folder})
		c.Settle()
		require.True(t, c.SetFileContent(id, []byte("foreign content")))
	}
	names := []string{"../x.txt", `..\x.txt`, "/etc/x.txt", `C:\x.txt`, `\\host\share\x.txt`, "NUL.txt", "COM1", "a/../../x.txt", "..", "%2e%2e%2fx.txt", "x.txt ", "link.txt", "a\x00b.txt", "\x1b[2J\r\n.txt"}
	for _, name := range names {
		add(name, folder)
	}
	add("own.txt", escape)
	c.Settle()

	listed := c.files(t, "", "ls 10001 Odd -o jsonl")
	require.Equal(t, exitDone, listed.code, listed.err)
	saved := 0
	for line := range strings.Lines(listed.out) {
		var entry listedFile
		require.NoError(t, json.Unmarshal([]byte(line), &entry))
		if strings.HasSuffix(entry.Path, "/") {
			continue
		}
		place := t.TempDir()
		got := c.files(t, "", "get 10001", entry.Path, place)
		require.Equal(t, exitDone, got.code, entry.Path+got.err)
		entries, err := os.ReadDir(place)
		require.NoError(t, err)
		assert.Len(t, entries, 1, entry.Path)
		saved++
		require.NotContains(t, entry.Path, "\x00", "no argument of a command can have it")
		var sent sentFile
		got = c.files(t, "", "put 10001", own, entry.Path, "--replace", "-o", "json")
		require.Equal(t, exitDone, got.code, entry.Path+got.err)
		require.NoError(t, json.Unmarshal([]byte(got.out), &sent))
		assert.Equal(t, sentFile{mirror.Updated, entry.ID, entry.Path, int64(len(content))}, sent)
	}
	assert.Equal(t, len(names), saved)

	linked := filepath.Join(c.dir, "link.txt")
	assert.Equal(t, exitMisused, c.files(t, "", "get 10001 Odd/link.txt", linked).code)
	c.files(t, "", "get 10001 Odd/link.txt", linked, "--force")
	c.files(t, "", "mirror pull 10001 Odd", c.dir, "--yes")
	c.files(t, "", "mirror pull 10001 Odd", c.dir, "--yes", "--force", "--conflict", "remote")
	left, err := os.ReadDir(outside)
	require.NoError(t, err)
	assert.Len(t, left, 1, "nothing is written through a link")
	kept, err := os.ReadFile(own)
	require.NoError(t, err)
	assert.Equal(t, content, string(kept))
}
