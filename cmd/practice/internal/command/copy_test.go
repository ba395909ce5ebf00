package command

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/postgrestest"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

func TestACopyIsMadeBroughtUpToDateAndVerified(t *testing.T) {
	t.Parallel()
	server, env := service(t)
	file := filepath.Join(t.TempDir(), "the firm #1?.db")
	checkCopy(t, server, env, file)
	if runtime.GOOS != "windows" {
		info, err := os.Stat(file)
		require.NoError(t, err)
		assert.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	}
}

func TestACopyIsTheSameInPostgreSQL(t *testing.T) {
	t.Parallel()
	var database postgrestest.Server
	stop, err := database.Start()
	require.NoError(t, err)
	defer stop()
	server, env := service(t)
	env[databaseVariable] = database.Source(database.Schema(t), "repeatable read")
	checkCopy(t, server, env)

	other, env := service(t)
	env[databaseVariable] = database.Source(database.Schema(t), "read committed")
	checkCopy(t, other, env)
	env[databaseVariable] = database.Source("nowhere", "read committed")
	got := execute(t, "", env, "copy", "--kinds", "groups")
	assert.Equal(t, exitFailed, got.code)
	assert.Contains(t, got.err, "the first schema in the search path does not exist")
}

// A file that another program created is protected before it has records. One with
// records may be meant for others, which the command says.
func TestACopyIsNotLeftOpenToOthersInSilence(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("modes are those of Unix")
	}
	_, env := service(t)
	file := filepath.Join(t.TempDir(), "firm.db")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	for _, row := range []struct {
		before, after os.FileMode
		says          bool
	}{{0o644, 0o600, false}, {0o640, 0o640, true}} {
		require.NoError(t, os.Chmod(file, row.before))
		got := execute(t, "", env, "copy", file, "--kinds", "groups")
		require.Equal(t, exitDone, got.code, got.err)
		info, err := os.Stat(file)
		require.NoError(t, err)
		assert.Equal(t, row.after, info.Mode().Perm())
		assert.Equal(t, row.says, strings.Contains(got.err, "Other users of this machine can open "+file), got.err)
	}
}

// checkCopy makes a copy in the file or, without one, in the database of the
// environment, and brings it up to date.
func checkCopy(t *testing.T, server *practicetest.Server, env map[string]string, file ...string) {
	t.Helper()
	copied := func(more ...string) result {
		return execute(t, "", env, slices.Concat([]string{"copy", "--kinds", "groups,memos", "-o", "csv"}, more, file)...)
	}
	const header = "kind,records,deleted,lists,listsRead,complete,refused\n"
	first := copied()
	require.Equal(t, exitDone, first.code, first.err)
	rows := records(t, formatCSV, first.out)
	assert.Equal(t, 1+3, rows, "a header, and the matters besides")
	assert.True(t, strings.HasPrefix(first.out, header), first.out)
	assert.Contains(t, first.err, "memos: ")
	assert.Contains(t, first.err, " requests so far)")
	assert.Equal(t, result{exitDone, "kind,id,what\n", ""}, copied("--verify", "-q"))

	id := server.AddGroup(models.GroupCreate{Name: "Night shift"})
	server.Settle()
	differs := copied("--verify", "-q")
	assert.Equal(t, exitFailed, differs.code)
	assert.Equal(t, "kind,id,what\ngroups,"+id+",missing\n", differs.out)
	assert.Contains(t, differs.err, "1 records in the copy differ from the service")
	again := copied("-q")
	require.Equal(t, exitDone, again.code, again.err)
	assert.Empty(t, again.err)
	assert.Equal(t, exitDone, copied("--verify").code)
}

func TestNoMessageHasThePasswordOfTheDatabase(t *testing.T) {
	t.Parallel()
	_, env := service(t)
	const password = "corr3ct-horse"
	for _, test := range []struct {
		address string
		code    int
		says    string
	}{
		{"", exitMisused, "set " + databaseVariable},
		{"postgres://firm:" + password + "@127.0.0.1:1/firm?connect_timeout=5", exitFailed, "cannot connect to the database"},
		{"host=127.0.0.1 port=1 user=firm dbname=firm connect_timeout=5 password='" + password + "'", exitFailed, "cannot connect to the database"},
		{"postgres://firm:" + password + "@127.0.0.1:port/firm", exitMisused, databaseVariable + " is not the address"},
		{"postgres://firm:" + password + "/%zz@127.0.0.1/firm", exitMisused, databaseVariable + " is not the address"},
		{"password=" + password + " host", exitMisused, databaseVariable + " is not the address"},
	} {
		env[databaseVariable] = test.address
		for _, more := range [][]string{nil, {"--debug"}, {"-o", "json"}} {
			got := execute(t, "", env, append([]string{"copy", "--kinds", "groups"}, more...)...)
			assert.Equal(t, test.code, got.code, "%s: %s", test.address, got.err)
			assert.Contains(t, got.err, test.says)
			assert.NotContains(t, got.err+got.out, password)
		}
	}
}

// After a failure, the file has the other kinds, and the command prints them.
func TestACopyThatFailsPrintsHowFarItIs(t *testing.T) {
	t.Parallel()
	server, env := service(t)
	server.Inject(practicetest.Fault{Operation: "listGroups", Status: 400, Times: -1})
	got := execute(t, "", env, "copy", filepath.Join(t.TempDir(), "firm.db"), "--kinds", "groups,memos", "-q", "-o", "csv")
	assert.Equal(t, exitFailed, got.code)
	assert.Contains(t, got.err, "groups: ")
	assert.Contains(t, got.out, "memos,")
	assert.NotContains(t, got.out, "groups,0,0,1,1")
}

func TestAWatchedCopyGoesOnUntilItIsInterrupted(t *testing.T) {
	t.Parallel()
	_, env := service(t)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var out bytes.Buffer
	ends := afterText{text: "Keeping ", do: stop}
	code := Run(ctx, []string{"copy", filepath.Join(t.TempDir(), "firm.db"), "--kinds", "groups", "--watch", "-o", "csv"}, Streams{strings.NewReader(""), &out, &ends}, variables(t, env))
	assert.Equal(t, exitInterrupted, code)
	assert.Contains(t, out.String(), "groups,")
}

// afterText calls do when a text is written to it.
type afterText struct {
	text string
	do   func()
}

func (w *afterText) Write(p []byte) (int, error) {
	if strings.Contains(string(p), w.text) {
		w.do()
	}
	return len(p), nil
}

func TestWrongFlagsOfACopyMakeNoFile(t *testing.T) {
	t.Parallel()
	_, env := service(t)
	for _, test := range []struct {
		flags []string
		code  int
		says  string
	}{
		{[]string{"--kinds", "feees"}, exitMisused, "did you mean fees?"},
		{[]string{"--watch", "--verify"}, exitMisused, "cannot be combined"},
		{[]string{"--plan", "--rate", "0"}, exitMisused, "--rate must be greater than 0"},
		{[]string{"--rate", "2"}, exitMisused, "--rate applies only to --plan"},
		{[]string{"--columns", "nothing", "-o", "csv"}, exitMisused, "nothing"},
		{[]string{"--dry-run"}, exitMisused, "--dry-run"},
		{[]string{"--verify"}, exitMisused, "firm.db"},
		{[]string{"--plan", "--kinds", "groups"}, exitDone, ""},
	} {
		file := filepath.Join(t.TempDir(), "firm.db")
		got := execute(t, "", env, append([]string{"copy", file}, test.flags...)...)
		assert.Equal(t, test.code, got.code, "%v: %s", test.flags, got.err)
		assert.Contains(t, got.err, test.says)
		assert.NoFileExists(t, file)
		if test.code == exitDone {
			assert.Contains(t, got.out, `"requestsOfTheFirstCopy": 2`)
		}
	}
}

// A flag whose value is empty, as of a variable that is not set, chooses nothing.
// A comparison changes nothing, also in a file that is no copy.
func TestACopyRefusesFlagsThatContradict(t *testing.T) {
	t.Parallel()
	_, env := service(t)
	file := filepath.Join(t.TempDir(), "firm.db")
	require.Equal(t, exitDone, execute(t, "", env, "copy", file, "--kinds", "groups").code)
	before, err := os.ReadFile(file)
	require.NoError(t, err)
	for _, flags := range [][]string{{"--kinds="}, {"--verify", "--without-personal-data"}} {
		got := execute(t, "", env, append([]string{"copy", file}, flags...)...)
		assert.Equal(t, exitMisused, got.code, got.out)
		assert.Empty(t, got.out)
		after, err := os.ReadFile(file)
		require.NoError(t, err)
		assert.True(t, bytes.Equal(before, after), "nothing was changed")
	}
	assert.Equal(t, exitDone, execute(t, "", env, "copy", file, "--verify").code, "of the kinds that the copy has")
	require.NoError(t, errors.Join(os.Truncate(file, 0), os.Chmod(file, 0o644)))
	empty, err := os.Stat(file)
	require.NoError(t, err)
	got := execute(t, "", env, "copy", file, "--verify")
	assert.Equal(t, exitMisused, got.code, got.out)
	assert.Contains(t, got.err, "no such table")
	after, err := os.Stat(file)
	require.NoError(t, err)
	assert.Equal(t, [2]any{empty.Size(), empty.Mode()}, [2]any{after.Size(), after.Mode()})
}
