package acceptance_test

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/oauth2"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/auth"
	"github.com/practicesdk/practice-go/internal/soak"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/internal/testmain"
	"github.com/practicesdk/practice-go/mirror"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

type trapTracer struct{ start, end func() }

func (h trapTracer) Start(ctx context.Context, _ practice.Observation, _ http.Header) context.Context {
	h.start()
	return ctx
}

func (h trapTracer) End(context.Context, practice.Observation) { h.end() }

type trapHandler struct {
	slog.Handler
	step func()
}

func (h trapHandler) Enabled(context.Context, slog.Level) bool { return true }

func (h trapHandler) Handle(ctx context.Context, r slog.Record) error {
	h.step()
	return h.Handler.Handle(ctx, r)
}

type trapLimiter func()

func (step trapLimiter) Wait(context.Context) error { step(); return nil }

type trapSigner struct{ step func() }

func (h trapSigner) NewRequestID() string {
	h.step()
	return fmt.Sprintf("6f9619ff-8b86-4d01-b42d-%012x", time.Now().UnixNano()&0xffffffffffff)
}

type trapSource struct {
	step func()
	of   oauth2.TokenSource
}

func (h trapSource) Token() (*oauth2.Token, error) { h.step(); return h.of.Token() }

// trapFS calls step for every opened file and every byte that is read.
type trapFS struct {
	fstest.MapFS
	step func()
}

func (h trapFS) Open(name string) (fs.File, error) {
	h.step()
	file, err := h.MapFS.Open(name)
	if _, isDir := file.(fs.ReadDirFile); err != nil || isDir {
		return file, err
	}
	return trapFile{file, h.step}, err
}

type trapFile struct {
	fs.File
	step func()
}

func (h trapFile) Read(p []byte) (int, error) { h.step(); return h.File.Read(p) }

type trapWriter func()

func (step trapWriter) Write(p []byte) (int, error) { step(); return len(p), nil }

func nothing() {}

// matterWithAFile is a matter with a file to download.
type matterWithAFile struct {
	server   *practicetest.Server
	client   *practice.Client
	id, file string
}

func inMatterWithAFile(t *testing.T, content string, test func(t *testing.T, m *matterWithAFile), opts ...practicetest.Option) {
	t.Helper()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		m := &matterWithAFile{server: server, client: client, id: server.Firm().MatterIDs[1]}
		file, err := client.Documents.Upload(t.Context(), m.id, practice.Upload{Name: "big.bin", Body: strings.NewReader(content)})
		require.NoError(t, err)
		server.Settle()
		m.file = file.ID
		test(t, m)
	}, opts...)
}

// hooked is a client with a trap in one of the functions that the caller passes
// to methods.
type hooked struct {
	client  *practice.Client
	m       *matterWithAFile
	trap    *testkit.Trap
	of      string            // name of the function that contains the trap
	dir     string            // local folder
	folders map[string]string // ids of folders in the service, one for each run
}

// step returns the trap if it belongs into the function with that name.
func (h *hooked) step(name string) func() {
	if h.of == name {
		return h.trap.Step
	}
	return nothing
}

func (h *hooked) progress() func(int64, int64) {
	step := h.step("Progress")
	return func(int64, int64) { step() }
}

func (h *hooked) fileProgress() func(string, int64, int64) {
	step := h.step("FileProgress")
	return func(string, int64, int64) { step() }
}

func (h *hooked) result() func(mirror.Result) {
	step := h.step("Result")
	return func(mirror.Result) { step() }
}

func (h *hooked) exclude() func(mirror.Item) bool {
	step := h.step("Exclude")
	return func(mirror.Item) bool { step(); return false }
}

func (h *hooked) uploadDir(ctx context.Context, run int64) error {
	name := fmt.Sprint("run ", run)
	folder, there := h.folders[name]
	if !there {
		folder = h.m.server.AddFolder(h.m.id, models.FolderWrite{Name: name})
		h.folders[name] = folder
	}
	tree := fstest.MapFS{"a/b.txt": {Data: []byte("b")}, "a/empty.txt": {}, "c/d.txt": {Data: []byte("d")}}
	for i := range soak.Times(6, 24) { // created in parallel
		tree[fmt.Sprintf("many/%d.txt", i)] = &fstest.MapFile{Data: []byte(strings.Repeat("many ", i+1))}
	}
	conflict := h.step("Conflict")
	for range 2 { // in the second pass, all files exist
		err := mirror.Push(ctx, h.client, h.m.id, filepath.Join(h.dir, fmt.Sprint("up", run)), mirror.Options{
			Tree: trapFS{tree, h.step("fs.FS")}, FolderID: folder, Concurrency: 4, Progress: h.progress(), FileProgress: h.fileProgress(), Result: h.result(), Exclude: h.exclude(),
			Conflict: func(string, *models.File) mirror.Choice { conflict(); return mirror.KeepLocal },
		})
		if err != nil {
			return err
		}
	}
	return h.onlyOnce(ctx, folder, len(tree))
}

// onlyOnce reports whether a folder has the given number of files, all with
// different names.
func (h *hooked) onlyOnce(ctx context.Context, folder string, files int) error {
	found := map[string]bool{}
	for entry, err := range h.m.client.Documents.Walk(ctx, h.m.id, practice.WalkOptions{FolderID: folder}) {
		switch {
		case err != nil:
			return err
		case found[entry.Path()]:
			return fmt.Errorf("%s is there twice", entry.Path())
		case entry.File != nil:
			found[entry.Path()] = true
		}
	}
	if len(found) != files {
		return fmt.Errorf("%d files instead of %d", len(found), files)
	}
	return nil
}

// uses returns the calls that use each hook, by name. Each of them succeeds,
// also after a panic of another call in the same run.
func (h *hooked) uses() map[string]func(ctx context.Context, run int64) error {
	documents := h.client.Documents
	return map[string]func(ctx context.Context, run int64) error{
		"a call": func(ctx context.Context, _ int64) error {
			return testkit.Discard(h.client.Staff.Get(ctx, h.m.server.Firm().StaffID))
		},
		"calls for many renewals": func(ctx context.Context, _ int64) error {
			for range soak.Times(16, 60) {
				if err := testkit.Discard(h.client.Staff.Get(ctx, h.m.server.Firm().StaffID)); err != nil {
					return err
				}
				<-time.After(time.Minute)
			}
			return nil
		},
		"a modification": func(ctx context.Context, _ int64) error {
			return testkit.Discard(h.client.Matters.Modify(ctx, h.m.id, unchanged[models.MatterWrite]))
		},
		"pages ahead": func(ctx context.Context, _ int64) error {
			for _, err := range h.client.Events.All(ctx, practice.EventListOptions{ListOptions: practice.ListOptions{Limit: 3}}, practice.WithPrefetch(4)) {
				if err != nil {
					return err
				}
			}
			return nil
		},
		"a walk of folders": func(ctx context.Context, _ int64) error {
			for _, err := range documents.Walk(ctx, h.m.server.Firm().MatterID, practice.WalkOptions{Concurrency: 3}) {
				if err != nil {
					return err
				}
			}
			return nil
		},
		"an upload": func(ctx context.Context, _ int64) error {
			created, read := h.step("Created"), h.step("Body")
			body := trapFile{trapBody(strings.NewReader(strings.Repeat("x", 300_000))), read}
			return testkit.Discard(documents.Upload(ctx, h.m.id, practice.Upload{
				Name: "upload.txt", Size: 300_000, Body: struct{ io.Reader }{body}, Progress: h.progress(),
				Created: func(string) error { created(); return nil },
			}))
		},
		"a download": func(ctx context.Context, _ int64) error {
			options := practice.DownloadOptions{Progress: h.progress(), Ranges: 4, RangeSize: 1 << 17}
			return testkit.Discard(documents.Download(ctx, h.m.id, h.m.file, trapWriter(h.step("Writer")), options))
		},
		"a download into a file": func(ctx context.Context, run int64) error {
			options := practice.DownloadOptions{Progress: h.progress(), Ranges: 4, RangeSize: 1 << 17}
			return testkit.Discard(documents.DownloadFile(ctx, h.m.id, h.m.file, filepath.Join(h.dir, fmt.Sprint(run)), options))
		},
		"a directory up":   h.uploadDir,
		"a directory down": h.downloadDir,
	}
}

func (h *hooked) downloadDir(ctx context.Context, run int64) error {
	matters := h.m.server.Firm().MatterIDs
	return mirror.Pull(ctx, h.client, matters[soak.Times(1, 0)], filepath.Join(h.dir, "down", fmt.Sprint(run)), mirror.Options{
		Concurrency: 3, Ranges: 4, RangeSize: int64(soak.Times(1<<14, 1<<10)), Progress: h.progress(), FileProgress: h.fileProgress(), Result: h.result(), Exclude: h.exclude(),
	})
}

type readerFile struct{ io.Reader }

func trapBody(r io.Reader) fs.File { return readerFile{r} }

func (readerFile) Stat() (fs.FileInfo, error) { return nil, fs.ErrInvalid }
func (readerFile) Close() error               { return nil }

// clientHooks returns options that set each function of a client.
func clientHooks(server *practicetest.Server, dir string) map[string]func(step func()) []practice.ClientOption {
	store := auth.TokenFile{Path: filepath.Join(dir, "tokens")}
	stored := func(of testkit.TrapStore) []practice.ClientOption {
		of.TokenStore = store
		return []practice.ClientOption{practice.WithTokens(auth.Source{Credentials: testkit.ClientGrant(server), Store: of})}
	}
	return map[string]func(step func()) []practice.ClientOption{
		"observer": func(step func()) []practice.ClientOption {
			return []practice.ClientOption{testkit.ClientCredentials(server), practice.WithObserver(func(context.Context, practice.Observation) { step() })}
		},
		"logger": func(step func()) []practice.ClientOption {
			return []practice.ClientOption{testkit.ClientCredentials(server), practice.WithLogger(slog.New(trapHandler{slog.DiscardHandler, step}))}
		},
		"tracer": func(step func()) []practice.ClientOption {
			return []practice.ClientOption{testkit.ClientCredentials(server), practice.WithTracer(trapTracer{step, step})}
		},
		"middleware": func(step func()) []practice.ClientOption {
			return []practice.ClientOption{practice.WithMiddleware(func(next http.RoundTripper) http.RoundTripper {
				return testkit.RoundTripper(func(req *http.Request) (*http.Response, error) { step(); return next.RoundTrip(req) })
			})}
		},
		"transport": func(step func()) []practice.ClientOption {
			wire := server.HTTPClient().Transport
			return []practice.ClientOption{testkit.ClientCredentials(server), practice.WithHTTPClient(&http.Client{Transport: testkit.RoundTripper(
				func(req *http.Request) (*http.Response, error) { step(); return wire.RoundTrip(req) },
			)})}
		},
		"limiter": func(step func()) []practice.ClientOption {
			return []practice.ClientOption{practice.WithLimiter(trapLimiter(step))}
		},
		"signer": func(step func()) []practice.ClientOption {
			return []practice.ClientOption{practice.WithRequestIDSigner(trapSigner{step})}
		},
		"the store's Lock": func(step func()) []practice.ClientOption {
			return stored(testkit.TrapStore{OnLock: step})
		},
		"the store's Load": func(step func()) []practice.ClientOption {
			return stored(testkit.TrapStore{OnLoad: step})
		},
		"the store's Save": func(step func()) []practice.ClientOption {
			return stored(testkit.TrapStore{OnSave: step, OnSaved: step})
		},
		"a source of tokens": func(step func()) []practice.ClientOption {
			return []practice.ClientOption{practice.WithTokens(auth.FromOAuth2(trapSource{step, oauth2.StaticTokenSource(&oauth2.Token{AccessToken: server.Credentials().AccessToken})}))}
		},
		"the hook of grants": func(step func()) []practice.ClientOption {
			return []practice.ClientOption{practice.WithTokens(auth.Source{Credentials: testkit.RefreshGrant(server), GrantHook: func(auth.Grant) { step() }})}
		},
		"the store of grants": func(step func()) []practice.ClientOption {
			return []practice.ClientOption{practice.WithTokens(auth.Source{Credentials: testkit.RefreshGrant(server), GrantStore: func(context.Context, auth.Grant) error { step(); return nil }})}
		},
	}
}

// TestAPanicOfAFunctionOfTheCallerReachesTheCaller makes every function that a
// client or a method takes panic, at its calls 1, 8, 64 and so on; .ci/soak takes
// 1, 2, 4. The goroutine of a call must panic with the same value, whatever
// goroutine called the function; nothing may be left behind, and the client must
// keep working.
func TestAPanicOfAFunctionOfTheCallerReachesTheCaller(t *testing.T) {
	t.Parallel()
	calls := []string{"a call", "calls for many renewals", "pages ahead"}
	everything := append(slices.Clone(calls), "a walk of folders", "a directory up", "a directory down")
	for of, uses := range map[string][]string{
		"observer": everything, "logger": everything, "tracer": everything, "middleware": everything, "transport": everything,
		"limiter": calls, "signer": calls, "the store's Lock": calls, "the store's Load": calls, "the store's Save": calls,
		"a source of tokens": {"a call", "pages ahead"}, "the hook of grants": calls, "the store of grants": calls,
	} {
		for _, use := range uses {
			t.Run(of+"/"+use, func(t *testing.T) { t.Parallel(); panicIn(t, of, use) })
		}
	}
	for use, functions := range map[string][]string{
		"an upload":              {"Body", "Progress", "Created", "transport", "tracer"},
		"a download":             {"Writer", "Progress", "transport", "tracer"},
		"a download into a file": {"Progress", "transport", "tracer"},
		"a directory up":         {"Progress", "FileProgress", "Result", "Exclude", "fs.FS"},
		"a directory down":       {"Progress", "FileProgress", "Result", "Exclude"},
	} {
		for _, of := range functions {
			t.Run(of+"/"+use, func(t *testing.T) { t.Parallel(); panicIn(t, of, use) })
		}
	}
}

func panicIn(t *testing.T, of, use string) {
	t.Helper()
	inMatterWithAFile(t, strings.Repeat("0123456789abcdef", 1<<13), func(t *testing.T, m *matterWithAFile) {
		dir, reached := testmain.TempDir(t), int64(0)
		for n := int64(1); ; n *= int64(soak.Times(8, 2)) {
			h := &hooked{m: m, trap: &testkit.Trap{}, of: of, dir: dir, folders: map[string]string{}}
			var options []practice.ClientOption
			if hooks, of := clientHooks(m.server, filepath.Join(dir, fmt.Sprint("store", n)))[of]; of {
				options = hooks(h.trap.Step)
			}
			h.client = m.server.Client(t, options...)
			value, err := h.trap.Set(n, func() error {
				defer synctest.Wait() // a hook may be called after the end of the call that it reports
				return h.uses()[use](t.Context(), n)
			})
			require.NoError(t, err)
			if value == nil && h.trap.Steps.Load() >= n { // the next call panics instead
				value, _ = h.trap.Set(0, func() error { return h.uses()[use](t.Context(), n) })
			}
			if value == nil {
				break
			}
			reached = n
			told, is := value.(error)
			require.True(t, is, "%v", value)
			require.ErrorIs(t, told, testkit.ErrTrap)
			require.NoError(t, h.uses()[use](t.Context(), n), "after the panic of step %d", n)
		}
		require.NotZero(t, reached, "it is never called")
	}, practicetest.WithTokenLifetime(5*time.Minute))
}

// TestACallThatAPanicEndedIsToldSo checks that a call is not observed as a
// success if a function passed by the caller panicked in it.
func TestACallThatAPanicEndedIsToldSo(t *testing.T) {
	t.Parallel()
	for of, uses := range map[string][]string{
		"middleware": {"a call", "pages ahead", "a walk of folders", "a modification", "an upload", "a download", "a directory up", "a directory down"},
		"Progress":   {"an upload", "a download", "a download into a file", "a directory up", "a directory down"},
		"fs.FS":      {"a directory up"},
		"Writer":     {"a download"},
	} {
		for _, use := range uses {
			t.Run(of+"/"+use, func(t *testing.T) {
				t.Parallel()
				inMatterWithAFile(t, "0123456789", func(t *testing.T, m *matterWithAFile) {
					h := &hooked{m: m, trap: &testkit.Trap{}, of: of, dir: t.TempDir(), folders: map[string]string{}}
					var told atomic.Pointer[practice.Observation]
					tracer := new(testkit.TraceRecorder)
					h.client = m.server.Client(t, practice.WithTracer(tracer), practice.WithObserver(func(_ context.Context, seen practice.Observation) {
						if !seen.Kind.IsAttempt() {
							told.Store(&seen)
						}
					}), practice.WithMiddleware(func(next http.RoundTripper) http.RoundTripper {
						return testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
							if of == "middleware" {
								h.trap.Step()
							}
							return next.RoundTrip(req)
						})
					}))
					value, _ := h.trap.Set(1, func() error { return h.uses()[use](t.Context(), 1) })
					require.NotNil(t, value)
					require.EqualError(t, told.Load().Err, "a callback panicked or called runtime.Goexit", told.Load().Operation)
					if of == "middleware" {
						tracer.Complete(t)
					}
				})
			})
		}
	}
}

// TestAPanicInTheBackgroundReachesTheNextCall checks a panic in the background
// renewal of a token: it reaches the next call, although the current token is
// valid. Granted tokens must not be lost if the store panics.
func TestAPanicInTheBackgroundReachesTheNextCall(t *testing.T) {
	t.Parallel()
	for name, options := range map[string]func(server *practicetest.Server, h *testkit.Trap) []practice.ClientOption{
		"a store of tokens": func(server *practicetest.Server, h *testkit.Trap) []practice.ClientOption {
			store := testkit.TrapStore{TokenStore: auth.TokenFile{Path: filepath.Join(t.TempDir(), "tokens")}, OnSave: h.Step}
			return []practice.ClientOption{practice.WithTokens(auth.Source{Credentials: testkit.RefreshGrant(server), Store: store})}
		},
		"a store of grants": func(server *practicetest.Server, h *testkit.Trap) []practice.ClientOption {
			store := func(context.Context, auth.Grant) error { h.Step(); return nil }
			return []practice.ClientOption{practice.WithTokens(auth.Source{Credentials: testkit.RefreshGrant(server), GrantStore: store})}
		},
		"a hook": func(server *practicetest.Server, h *testkit.Trap) []practice.ClientOption {
			return []practice.ClientOption{practice.WithTokens(auth.Source{Credentials: testkit.RefreshGrant(server), GrantHook: func(auth.Grant) { h.Step() }})}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, _ *practice.Client) {
				h := &testkit.Trap{}
				client := server.Client(t, options(server, h)...)
				use := func() error { return testkit.Discard(client.Staff.Get(t.Context(), server.Firm().StaffID)) }
				require.NoError(t, use())
				<-time.After(9*time.Minute + 30*time.Second)
				last := int64(1)
				if name == "a store of tokens" {
					last = 2 // the first save happens before the refresh token is spent
				}
				value, err := h.Set(last, func() error {
					err := use()
					synctest.Wait()
					return err
				})
				require.NoError(t, err)
				require.Nil(t, value, "the token at hand is good")
				value, _ = h.Set(0, use)
				told, is := value.(error)
				require.True(t, is, "%v", value)
				require.ErrorIs(t, told, testkit.ErrTrap)
				for range 30 {
					require.NoError(t, use())
					<-time.After(time.Minute)
				}
			}, practicetest.WithTokenLifetime(10*time.Minute), practicetest.WithOneTimeRefresh(true))
		})
	}
}
