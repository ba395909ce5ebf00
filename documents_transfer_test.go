package practice_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

// contentOf are bytes that differ from place to place.
func contentOf(t *testing.T, size int64) []byte {
	t.Helper()
	data, err := io.ReadAll(practicetest.NewContent(7, size))
	require.NoError(t, err)
	return data
}

// fileOn is a file on disk that holds data.
func fileOn(t *testing.T, data []byte) *os.File {
	t.Helper()
	path := filepath.Join(t.TempDir(), "content")
	require.NoError(t, os.WriteFile(path, data, 0o600))
	file, err := os.Open(path)
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, file.Close(), "an upload does not close the body") })
	return file
}

func at[S io.Seeker](t *testing.T, body S, position int64) S {
	t.Helper()
	_, err := body.Seek(position, io.SeekStart)
	require.NoError(t, err)
	return body
}

func TestWhatIsUploadedIsDownloadedByteForByte(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name string
		size int64
		body func(t *testing.T, data []byte) io.Reader
		skip int64 // bytes before the position of the body
	}{
		{"no byte", 0, func(_ *testing.T, data []byte) io.Reader { return bytes.NewReader(data) }, 0},
		{"one byte", 1, func(_ *testing.T, data []byte) io.Reader { return bytes.NewReader(data) }, 0},
		{"bytes in memory", 100_003, func(_ *testing.T, data []byte) io.Reader { return bytes.NewReader(data) }, 0},
		{"a text", 5000, func(_ *testing.T, data []byte) io.Reader { return strings.NewReader(string(data)) }, 0},
		{"a file", 3<<20 + 1, func(t *testing.T, data []byte) io.Reader { return fileOn(t, data) }, 0},
		{"an empty file", 0, func(t *testing.T, data []byte) io.Reader { return fileOn(t, data) }, 0},
		{"a part of a larger one", 4096, func(_ *testing.T, data []byte) io.Reader {
			return io.NewSectionReader(bytes.NewReader(append([]byte("before"), append(data, "after"...)...)), 6, int64(len(data)))
		}, 0},
		{"from the middle", 70_000, func(t *testing.T, data []byte) io.Reader { return at(t, bytes.NewReader(data), 33_333) }, 33_333},
		{"a file from the middle", 70_000, func(t *testing.T, data []byte) io.Reader { return at(t, fileOn(t, data), 33_333) }, 33_333},
		{"from the end", 10, func(t *testing.T, data []byte) io.Reader { return at(t, bytes.NewReader(data), 10) }, 10},
		{"from beyond the end", 10, func(t *testing.T, data []byte) io.Reader { return at(t, bytes.NewReader(data), 99) }, 10},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
				matter, folder := server.Firm().MatterID, server.Firm().FolderID
				data := contentOf(t, test.size)
				want := data[test.skip:]
				file, err := client.Documents.Upload(t.Context(), matter, practice.Upload{
					Name: "Brief – ä.final.pdf", FolderID: folder, Body: test.body(t, data), DateCreated: testkit.SomeTime,
				})
				require.NoError(t, err)
				assert.EqualValues(t, len(want), file.Size)
				stored, ok := server.FileContent(file.ID)
				require.True(t, ok)
				require.True(t, bytes.Equal(want, stored), "%d bytes, not %d", len(stored), len(want))

				server.Settle()
				record := fileOf(t, client, matter, folder, file.ID)
				assert.Equal(t, "Brief – ä.final", record.Name)
				assert.Equal(t, ".pdf", record.FileExtension)
				assert.Equal(t, models.Some(file.Size), record.SizeBytes)
				assert.True(t, record.IsUploaded.Or(false))
				assert.Equal(t, testkit.SomeTime, record.DateCreated.Time())

				var got bytes.Buffer
				n, err := client.Documents.Download(t.Context(), matter, file.ID, &got, practice.DownloadOptions{})
				require.NoError(t, err)
				assert.Equal(t, file.Size, n)
				require.True(t, bytes.Equal(want, got.Bytes()))
			})
		})
	}
}

func TestWithoutAFolderAFileGoesToTheRoot(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		file, err := client.Documents.Upload(t.Context(), server.Firm().MatterID, practice.Upload{Name: "LICENCE", Body: strings.NewReader("MIT")})
		require.NoError(t, err)
		server.Settle()
		record := fileOf(t, client, server.Firm().MatterID, "", file.ID)
		assert.Equal(t, "LICENCE", record.Name)
		assert.Empty(t, record.FileExtension)
		assert.Equal(t, `{"fileName":"LICENCE"}`, string(testkit.RequestsTo(server, practicetest.PartAPI)[0].Body), "what is not given is not sent")
	})
}

// The storage hears the address, the length and the bytes. The strict service
// would refuse anything more.
func TestTheStorageGetsNoCredentialAndNoType(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, _ *practice.Client) {
		var answers []string
		client := server.Client(t, testkit.ClientCredentials(server), practice.WithUserID(server.Firm().UserID), practice.WithUserAgent("ledger/1"),
			practice.WithMiddleware(func(next http.RoundTripper) http.RoundTripper {
				return testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
					resp, err := next.RoundTrip(req)
					if err != nil {
						return nil, err
					}
					body, err := io.ReadAll(resp.Body)
					answers = append(answers, string(body))
					resp.Body = io.NopCloser(bytes.NewReader(body))
					return resp, err
				})
			}))
		file, err := client.Documents.Upload(t.Context(), server.Firm().MatterID, practice.Upload{Name: "a.txt", Body: strings.NewReader("content")})
		require.NoError(t, err)
		server.Settle()
		_, err = client.Documents.Download(t.Context(), server.Firm().MatterID, file.ID, io.Discard, practice.DownloadOptions{})
		require.NoError(t, err)

		sent := testkit.RequestsTo(server, practicetest.PartStorage)
		require.Len(t, sent, 2)
		require.Len(t, answers, 2, "the caller's middleware does not see the storage")
		origin := strings.TrimSuffix(server.StorageURL(), "/documents")
		for i, r := range sent {
			assert.Contains(t, answers[i], `"`+origin+r.Path+"?"+r.RawQuery+`"`, "the address byte for byte")
		}
		assert.Equal(t, http.Header{"Content-Length": {"7"}}, sent[0].Header)
		assert.Equal(t, "PUT", sent[0].Method)
		assert.Empty(t, sent[1].Header)
		assert.Equal(t, "GET", sent[1].Method)
	})
}

func TestProgressIsMonotonicAndComplete(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		const size = 1<<20 + 13
		var last int64
		calls := 0
		progress := func(done, total int64) {
			assert.Greater(t, done, last)
			assert.EqualValues(t, size, total)
			last = done
			calls++
		}
		upload := practice.Upload{Name: "a.bin", Body: practicetest.NewContent(1, size), Progress: progress}
		file, err := client.Documents.Upload(t.Context(), server.Firm().MatterID, upload)
		require.NoError(t, err)
		assert.EqualValues(t, size, last)
		assert.Greater(t, calls, 5, "not only at the end")

		last = 0
		upload.Body = practicetest.NewContent(2, size)
		require.NoError(t, testkit.Discard(client.Documents.UploadVersion(t.Context(), server.Firm().MatterID, file.ID, upload)))
		assert.EqualValues(t, size, last)
	})
}

// once makes every attempt the last one.
func once(client *practice.Client) *practice.Client {
	return client.With(practice.WithRetries(0), practice.WithIdleTimeout(0))
}

func TestAnUploadThatFailsIsRepairedWithoutASecondFile(t *testing.T) {
	t.Parallel()
	const size = 200_000
	fault := func(f practicetest.Fault) func(*practicetest.Server) {
		return func(s *practicetest.Server) {
			f.Operation, f.Times = "storage.put", -1
			s.Inject(f)
		}
	}
	for _, test := range []struct {
		name   string
		inject func(*practicetest.Server)
		status int
		code   string
		cause  error
		sent   int // a refused address is replaced once
	}{
		{"500", fault(practicetest.Fault{Status: 500}), 500, "InternalError", practice.ErrServer, 1},
		{"503 without a body that can be read", fault(practicetest.Fault{Status: 503, Body: "busy", ContentType: "text/plain"}), 503, "", practice.ErrServer, 1},
		{"403", fault(practicetest.Fault{Status: 403, Body: "<Error><Code>AccessDenied</Code></Error>", ContentType: "application/xml"}), 403, "AccessDenied", practice.ErrForbidden, 2},
		{"an address that has expired", fault(practicetest.Fault{Kind: practicetest.FaultLatency, Delay: 16 * time.Minute}), 403, "AccessDenied", nil, 2},
		{"a reset at the start", fault(practicetest.Fault{Kind: practicetest.FaultResetBefore}), 0, "", syscall.ECONNRESET, 1},
		{"a reset in the middle", fault(practicetest.Fault{Kind: practicetest.FaultResetBefore, After: size / 2}), 0, "", syscall.ECONNRESET, 1},
		{"a reset instead of the answer", fault(practicetest.Fault{Kind: practicetest.FaultResetAfter}), 0, "", syscall.ECONNRESET, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
				matter := server.Firm().MatterID
				before := len(idsOf(t, client, matter, ""))
				content := contentOf(t, size)
				body := bytes.NewReader(content)
				upload := practice.Upload{Name: "Brief.pdf", Body: body}
				test.inject(server)
				_, err := once(client).Documents.Upload(t.Context(), matter, upload)
				failed := testkit.FailedTransfer(t, err, "Documents.Upload")
				assert.Equal(t, test.status, failed.StatusCode)
				assert.Equal(t, test.code, failed.Code)
				if test.cause != nil {
					require.ErrorIs(t, err, test.cause)
				}
				assert.Len(t, testkit.RequestsTo(server, practicetest.PartStorage), test.sent)
				assert.Len(t, failed.Attempts, test.sent)

				at(t, body, 0)
				server.ClearFaults()
				file, err := client.Documents.ResumeUpload(t.Context(), matter, failed.FileID, upload)
				require.NoError(t, err)
				assert.Equal(t, failed.FileID, file.ID)
				assert.EqualValues(t, size, file.Size)
				stored, _ := server.FileContent(failed.FileID)
				require.True(t, bytes.Equal(content, stored))
				server.Settle()
				assert.Len(t, idsOf(t, client, matter, ""), before+1, "there is one new file")
			})
		})
	}
}

func TestNothingIsUploadedWhenTheFileIsNotMade(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]practicetest.Fault{
		"refused":             {Status: 403},
		"perhaps made":        {Kind: practicetest.FaultResetAfter},
		"an answer cut short": {Kind: practicetest.FaultTruncated},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
				fault.Operation = "createFile"
				server.Inject(fault)
				body := strings.NewReader("content")
				err := testkit.Discard(client.Documents.Upload(t.Context(), server.Firm().MatterID, practice.Upload{Name: "a.txt", Body: body}))
				_, uncertain := errors.AsType[*practice.AmbiguousWriteError](err)
				assert.Equal(t, fault.Status == 0, uncertain, "%v", err)
				assert.Len(t, server.Requests(), 1)
				assert.Equal(t, 7, body.Len(), "the body stands where it stood")
			})
		})
	}
}

func TestANewVersionOfAFile(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f := server.Firm()
		old, _ := server.FileContent(f.FileID)
		before := fileOf(t, client, f.MatterID, "", f.FileID)
		files := idsOf(t, client, f.MatterID, "")
		server.Clock().Advance(time.Minute)
		file, err := client.Documents.UploadVersion(t.Context(), f.MatterID, f.FileID, practice.Upload{
			Name: "not used", FolderID: unknownID, Body: strings.NewReader("second version"),
		})
		require.NoError(t, err)
		assert.Equal(t, practice.UploadedFile{ID: f.FileID, Size: 14, ETag: file.ETag, Requests: 1}, *file)
		server.Settle()
		after := fileOf(t, client, f.MatterID, "", f.FileID)
		assert.Equal(t, before.Name, after.Name)
		assert.NotEqual(t, before.VersionID, after.VersionID)
		assert.True(t, after.DateModified.Time().After(before.DateModified.Time()))
		assert.Equal(t, files, idsOf(t, client, f.MatterID, ""))

		var content bytes.Buffer
		_, err = client.Documents.Download(t.Context(), f.MatterID, f.FileID, &content, practice.DownloadOptions{})
		require.NoError(t, err)
		assert.Equal(t, "second version", content.String(), "the latest one")

		earlier, err := client.Documents.GetDownloadURL(t.Context(), f.MatterID, f.FileID, practice.DownloadURLOptions{VersionID: before.VersionID})
		require.NoError(t, err)
		assert.Equal(t, models.Some(int64(len(old))), earlier.SizeBytes)
	})
}

func TestATransferEndsWithItsContext(t *testing.T) {
	t.Parallel()
	for _, operation := range []string{"storage.put", "storage.get"} {
		t.Run(operation, func(t *testing.T) {
			t.Parallel()
			testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
				f := server.Firm()
				server.Inject(practicetest.Fault{Operation: operation, Kind: practicetest.FaultStall})
				client = once(client)
				ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
				defer cancel()
				started := time.Now()
				var err error
				if operation == "storage.get" {
					_, err = client.Documents.Download(ctx, f.MatterID, f.FileID, io.Discard, practice.DownloadOptions{}, practice.WithTimeout(time.Second))
				} else {
					_, err = client.Documents.Upload(ctx, f.MatterID, practice.Upload{Name: "a", Body: strings.NewReader("x")}, practice.WithTimeout(time.Second))
				}
				require.ErrorIs(t, err, context.DeadlineExceeded)
				assert.NotEmpty(t, testkit.FailedTransfer(t, err, map[string]string{"storage.get": "Documents.Download", "storage.put": "Documents.Upload"}[operation]).FileID)
				assert.Equal(t, time.Hour, time.Since(started), "the time limit of calls is not one of transfers")
			})
		})
	}
}

func TestWhichStorageAddressesAreUsed(t *testing.T) {
	t.Parallel()
	hosts := func(names ...string) []practice.ClientOption {
		return []practice.ClientOption{practice.WithStorageHosts(names...)}
	}
	for _, test := range []struct {
		name, address string
		opts          []practice.ClientOption
		refused       bool
	}{
		{"https", testkit.SignedAddress, nil, false},
		{"plain http", "http://files.example.test/b?Signature=x", nil, true},
		{"plain http on this machine", "http://127.0.0.1:9000/b?Signature=x", nil, false},
		{"plain http where the caller allows it", "http://files.example.test/b?Signature=x", []practice.ClientOption{practice.WithInsecureHTTP()}, false},
		{"a named host", testkit.SignedAddress, hosts("files.example.test"), false},
		{"a named host in other letters", testkit.SignedAddress, hosts("Files.EXAMPLE.test"), false},
		{"one of several", testkit.SignedAddress, hosts("a.example.test", "files.example.test"), false},
		{"another host", testkit.SignedAddress, hosts("a.example.test"), true},
		{"a host that ends like a named one", "https://evil-files.example.test/b?Signature=x", hosts("files.example.test"), true},
		{"a host below a named one", "https://a.files.example.test/b?Signature=x", hosts("files.example.test"), true},
		{"a named host on any port", "https://files.example.test:8443/b?Signature=x", hosts("files.example.test"), false},
		{"a named port", "https://files.example.test:8443/b?Signature=x", hosts("files.example.test:8443"), false},
		{"another port than the named one", "https://files.example.test:9/b?Signature=x", hosts("files.example.test:8443"), true},
		{"a named host over plain http", "http://files.example.test/b?Signature=x", hosts("files.example.test"), true},
		{"a user in the address", "https://user:pw@files.example.test/b?Signature=x", nil, true},
		{"a named host as a user", "https://files.example.test@evil.example.test/b?Signature=x", hosts("files.example.test"), true},
		{"a fragment", "https://files.example.test/b?Signature=x#y", nil, true},
		{"a named host before a backslash", `https://files.example.test\.evil.test/b?Signature=x`, hosts("files.example.test"), true},
		{"a named host before a dot", "https://files.example.test.evil.test/b?Signature=x", hosts("files.example.test"), true},
		{"an end of a line", "https://files.example.test/b?Signature=x\r\nX-Evil: 1", nil, true},
		{"a control character", "https://files.example.test/b?Signature=x\ty", nil, true},
		{"no scheme", "//files.example.test/b?Signature=x", nil, true},
		{"a relative address", "/b?Signature=x", nil, true},
		{"another scheme", "file:///etc/b?Signature=x", nil, true},
		{"what would be sent in other bytes", "https://files.example.test/ä b?Signature=x", nil, true},
		{"none", "", nil, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var sent []string
			storage := func(req *http.Request) (*http.Response, error) {
				sent = append(sent, req.URL.Scheme+"://"+req.URL.Host+req.URL.RequestURI())
				if req.Body != nil {
					_, _ = io.Copy(io.Discard, req.Body)
				}
				return testkit.AnswerOf(200, "content"), nil
			}
			_, err := testkit.WithStorage(t, testkit.UploadTo(test.address), storage, test.opts...).Documents.Upload(t.Context(), "m1", practice.Upload{
				Name: "a.txt", Body: strings.NewReader("content"),
			})
			_, errDown := testkit.WithStorage(t, testkit.DownloadFrom(test.address, 7), storage, test.opts...).Documents.Download(t.Context(), "m1", "f1", io.Discard, practice.DownloadOptions{})
			if !test.refused {
				require.NoError(t, err)
				require.NoError(t, errDown)
				assert.Equal(t, []string{test.address, test.address}, sent, "byte for byte")
				return
			}
			assert.Empty(t, sent)
			for operation, err := range map[string]error{"Documents.Upload": err, "Documents.Download": errDown} {
				require.ErrorIs(t, err, practice.ErrStorageAddress)
				assert.Equal(t, "f1", testkit.FailedTransfer(t, err, operation).FileID)
				assert.NotContains(t, err.Error(), "example.test")
			}
		})
	}
}
