package mirror

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/mirror/internal/plan"
)

// A process may be killed while it uses a manifest whose former content was
// lost: the entries recorded until then are kept.
func TestALostManifestIsBegunAnewAtOnce(t *testing.T) {
	t.Parallel()
	for _, lost := range []string{"", "\x00\x00", "{}", "[1]\n", "{\"format\":2"} {
		dir, of := t.TempDir(), source{MatterID: "m"}
		require.NoError(t, os.WriteFile(filepath.Join(dir, manifestName), []byte(lost), 0o600))
		root, err := os.OpenRoot(dir)
		require.NoError(t, err)
		m, err := openManifest(root, of, false, false)
		require.NoError(t, err)
		e := plan.Entry{Key: plan.File("id"), Name: "a", Alias: "a"}
		require.NoError(t, m.step(&plan.Step{Op: plan.Note, Key: e.Key, Entry: e}, plan.Done{}, nil))
		text, err := root.ReadFile(manifestName) // as after a kill
		require.NoError(t, err)
		next := newManifest(nil, "", of)
		require.NoError(t, next.load(text))
		assert.Equal(t, e, next.base[e.Key], "%q", lost)
		require.NoError(t, m.close())
	}
}

// A full disk leaves an incomplete line: the lines after it are read, and the
// next run rewrites the manifest.
func TestATornLineSpoilsNoOther(t *testing.T) {
	t.Parallel()
	dir, of := t.TempDir(), source{MatterID: "m"}
	require.NoError(t, os.WriteFile(filepath.Join(dir, manifestName), []byte(`{"format":2,"matterId":"m"}`+"\n"+`{"id":"torn","ent`), 0o600))
	e := plan.Entry{Key: plan.File("id"), Name: "a", Alias: "a"}
	for range 2 {
		root, err := os.OpenRoot(dir)
		require.NoError(t, err)
		m, err := openManifest(root, of, false, false)
		require.NoError(t, err)
		require.NoError(t, m.step(&plan.Step{Op: plan.Note, Key: e.Key, Entry: e}, plan.Done{}, nil))
		text, err := root.ReadFile(manifestName)
		require.NoError(t, err)
		next := newManifest(nil, "", of)
		require.NoError(t, next.load(text))
		assert.Equal(t, map[plan.Key]plan.Entry{e.Key: e}, next.base)
		require.NoError(t, m.close())
	}
}

// Within a clock tick, another write of the same size may leave no trace in the
// times, if it restores the modification time.
func TestAFileIsTrustedOnceItsChangeIsATickOld(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		dir, year := t.TempDir(), time.Date(1999, 1, 2, 3, 4, 5, 0, time.UTC)
		at := filepath.Join(dir, "a")
		require.NoError(t, os.WriteFile(at, []byte("content"), 0o600))
		require.NoError(t, os.Chtimes(at, year, year))
		root, err := os.OpenRoot(dir)
		require.NoError(t, err)
		defer func() { assert.NoError(t, root.Close()) }()
		d := disk{root.FS(), root}
		until(t, at, time.Millisecond)
		_, stamp, _, err := d.sum(t.Context(), "a")
		require.NoError(t, err)
		assert.Empty(t, stamp)
		until(t, at, 2*tick)
		_, stamp, _, err = d.sum(t.Context(), "a")
		require.NoError(t, err)
		assert.NotEmpty(t, stamp)
	})
}

// until waits until the last change of a file is older than age.
func until(t *testing.T, at string, age time.Duration) {
	t.Helper()
	info, err := os.Lstat(at)
	require.NoError(t, err)
	_, changed := inodeOf(info)
	if changed == 0 {
		t.Skip("the system does not say when a file was changed")
	}
	<-time.After(time.Until(time.Unix(0, changed).Add(age)))
}

// edited calls a function for each file: after the renaming of a received one,
// and before a content is sent.
type edited struct {
	*fakeService
	do func(at string)
}

func (s edited) Fetch(ctx context.Context, fileID, name string, options practice.DownloadOptions) (*practice.DownloadedFile, error) {
	got, err := s.fakeService.Fetch(ctx, fileID, name, options)
	s.do(name)
	return got, err
}

func (s edited) Send(ctx context.Context, fileID string, upload practice.Upload) (*practice.UploadedFile, error) {
	s.do("")
	return s.fakeService.Send(ctx, fileID, upload)
}

// TestAnEditOfAReceivedFileIsNoticed edits a file as soon as it has its name,
// also without a trace in its size and modification time.
func TestAnEditOfAReceivedFileIsNoticed(t *testing.T) {
	t.Parallel()
	edit := func(t *testing.T, at string) {
		require.NoError(t, os.WriteFile(at, []byte("two"), 0o600))
	}
	for name, test := range map[string]struct {
		edit func(t *testing.T, at string)
		want Action // of the next call
	}{
		"nobody edits it": {func(*testing.T, string) {}, Kept},
		"an edit":         {edit, Waiting},
		"an edit that restores its time": {func(t *testing.T, at string) {
			before, err := os.Lstat(at)
			require.NoError(t, err)
			edit(t, at)
			require.NoError(t, os.Chtimes(at, before.ModTime(), before.ModTime()))
		}, Waiting},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			fake := edited{newFake(), func(name string) { test.edit(t, filepath.Join(dir, name)) }}
			fake.insert("", "a", false).versions = []string{"one"}
			assert.Equal(t, Created, call(t, "Mirror.Pull", fake, dir))
			assert.Equal(t, test.want, call(t, "Mirror.Pull", fake, dir))
		})
	}
}

// call pushes or pulls, and returns the last action.
func call(t *testing.T, operation string, s service, dir string) (action Action) {
	t.Helper()
	r := newRun(t.Context(), operation, s, source{MatterID: "m"}, Options{Result: func(r Result) { action = r.Action }})
	defer r.stop()
	r.observe = func(ctx context.Context, _ string, do func(context.Context) error) error { return do(ctx) }
	require.NoError(t, r.in(dir))
	return action
}

// A content that was not the recorded one when it was sent is read before it
// counts as alike.
func TestAnEditOfAFileThatIsSentIsNoticed(t *testing.T) {
	t.Parallel()
	at := filepath.Join(t.TempDir(), "a")
	require.NoError(t, os.WriteFile(at, []byte("before"), 0o600))
	fake := edited{newFake(), func(string) { require.NoError(t, os.WriteFile(at, []byte("after it"), 0o600)) }}
	assert.Equal(t, Created, call(t, "Mirror.Push", fake, filepath.Dir(at)))
	assert.Equal(t, Kept, call(t, "Mirror.Push", fake, filepath.Dir(at)), "both sides have the later content")
}
