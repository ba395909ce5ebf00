package practice_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/practicetest"
)

// brokenSeeker fails at its n-th Seek.
type brokenSeeker struct {
	io.ReadSeeker
	good int
}

func (b *brokenSeeker) Seek(offset int64, whence int) (int64, error) {
	if b.good--; b.good < 0 {
		return 0, errors.New("cannot go there")
	}
	return b.ReadSeeker.Seek(offset, whence)
}

func TestBodiesThatCannotBeMeasuredAreRefused(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]io.Reader{
		"none":                  nil,
		"lost on the way back":  &brokenSeeker{strings.NewReader("content"), 2},
		"a file that is closed": closedFile(t),
	} {
		t.Run(name, func(t *testing.T) {
			server := practicetest.New(t)
			client := server.Client(t)
			_, err := client.Documents.Upload(t.Context(), server.Firm().MatterID, practice.Upload{Name: "a.txt", Body: body})
			refused, ok := errors.AsType[*practice.ArgumentError](err)
			require.True(t, ok, "%v", err)
			assert.Equal(t, "Body", refused.Argument)
			assert.Equal(t, "Documents.Upload", refused.Operation)
			if broken, ok := body.(*brokenSeeker); ok {
				broken.good = 2 // it breaks at the same place again
			}
			_, err = client.Documents.UploadVersion(t.Context(), server.Firm().MatterID, server.Firm().FileID, practice.Upload{Body: body})
			refused, ok = errors.AsType[*practice.ArgumentError](err)
			require.True(t, ok, "%v", err)
			assert.Equal(t, "Documents.UploadVersion", refused.Operation)
			assert.Empty(t, server.Requests(), "no file is made for what cannot be sent")
		})
	}
}

// A body that cannot seek is read to its end before the file is made.
func TestBodiesOfUnknownLengthAreSent(t *testing.T) {
	t.Parallel()
	for _, size := range []int{0, 7, 1 << 20, 1<<20 + 1, 3 << 20} {
		data := contentOf(t, int64(size))
		for name, body := range map[string]func(t *testing.T) io.Reader{
			"a stream":                            func(*testing.T) io.Reader { return io.LimitReader(bytes.NewReader(data), int64(size)) },
			"a buffer":                            func(*testing.T) io.Reader { return bytes.NewBuffer(bytes.Clone(data)) },
			"what cannot seek, though it says so": func(*testing.T) io.Reader { return &brokenSeeker{bytes.NewReader(data), 0} },
			"a pipe": func(t *testing.T) io.Reader {
				reader, writer, err := os.Pipe()
				require.NoError(t, err)
				written := make(chan error, 1)
				go func() {
					_, err := writer.Write(data)
					written <- errors.Join(err, writer.Close())
				}()
				t.Cleanup(func() { assert.NoError(t, errors.Join(<-written, reader.Close())) })
				return reader
			},
		} {
			t.Run(fmt.Sprintf("%s of %d bytes", name, size), func(t *testing.T) {
				t.Parallel()
				server, dir := practicetest.New(t), t.TempDir()
				file, err := server.Client(t).Documents.Upload(t.Context(), server.Firm().MatterID, practice.Upload{
					Name: "a.txt", Body: body(t), TempDir: dir,
				})
				require.NoError(t, err)
				stored, _ := server.FileContent(file.ID)
				assert.True(t, bytes.Equal(data, stored))
				left, err := os.ReadDir(dir)
				require.NoError(t, err)
				assert.Empty(t, left)
				sent := testkit.RequestsTo(server, practicetest.PartStorage)
				require.Len(t, sent, 1)
				assert.Equal(t, http.Header{"Content-Length": {strconv.Itoa(size)}}, sent[0].Header)
			})
		}
	}
}

func closedFile(t *testing.T) *os.File {
	t.Helper()
	file, err := os.Open(os.DevNull)
	require.NoError(t, err)
	require.NoError(t, file.Close())
	return file
}

// A storage may answer before it has read everything. A transport of net/http
// then goes on reading the body for a while.
func TestTheBodyIsTheCallersAgainWhenTheCallHasEnded(t *testing.T) {
	t.Parallel()
	proceed, ended := make(chan struct{}), make(chan error, 1)
	client := testkit.WithStorage(t, testkit.UploadTo(testkit.SignedAddress), func(req *http.Request) (*http.Response, error) {
		_, _ = io.CopyN(io.Discard, req.Body, 3)
		go func() {
			<-proceed
			_, err := io.Copy(io.Discard, req.Body)
			ended <- err
		}()
		return testkit.AnswerOf(400, ""), nil
	})
	body := strings.NewReader("content")
	var reported int64
	_, err := client.Documents.Upload(t.Context(), "m1", practice.Upload{
		Name: "a.txt", Body: body, Progress: func(done, _ int64) { reported = done },
	})
	assert.Equal(t, 400, testkit.FailedTransfer(t, err, "Documents.Upload").StatusCode)
	at(t, body, 0)
	close(proceed)
	require.Error(t, <-ended, "a transport that still reads gets no more")
	assert.Equal(t, 7, body.Len(), "nobody has read the body meanwhile")
	assert.EqualValues(t, 3, reported)
}

func TestABodyThatChangesItsSizeOnTheWay(t *testing.T) {
	t.Parallel()
	t.Run("shorter", func(t *testing.T) {
		t.Parallel()
		testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
			body := &resized{ReadSeeker: strings.NewReader("content"), announced: 70_000}
			_, err := client.Documents.Upload(t.Context(), server.Firm().MatterID, practice.Upload{Name: "a.txt", Body: body})
			require.ErrorIs(t, err, practice.ErrSizeMismatch)
			failed := testkit.FailedTransfer(t, err, "Documents.Upload")
			_, stored := server.FileContent(failed.FileID)
			assert.False(t, stored, "half a file is not stored")
		}, practicetest.WithStrict(false))
	})
	t.Run("longer", func(t *testing.T) {
		t.Parallel()
		testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
			body := &resized{ReadSeeker: strings.NewReader("content and more"), announced: 7}
			_, err := client.Documents.Upload(t.Context(), server.Firm().MatterID, practice.Upload{Name: "a.txt", Body: body})
			require.ErrorIs(t, err, practice.ErrSizeMismatch)
			failed := testkit.FailedTransfer(t, err, "Documents.Upload")
			_, stored := server.FileContent(failed.FileID)
			assert.False(t, stored, "a file that is cut off is not stored")
		}, practicetest.WithStrict(false))
	})
}

// resized is a body that has another size when it is read than when it was
// measured.
type resized struct {
	io.ReadSeeker
	announced int64
}

func (r *resized) Seek(offset int64, whence int) (int64, error) {
	if whence == io.SeekEnd {
		return r.announced, nil
	}
	return r.ReadSeeker.Seek(offset, whence)
}

func TestABodyThatCannotBeRead(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		lost := errors.New("the disk is gone")
		body := &unreadable{strings.NewReader("content"), lost}
		_, err := client.Documents.Upload(t.Context(), server.Firm().MatterID, practice.Upload{Name: "a.txt", Body: body})
		require.ErrorIs(t, err, lost)
		assert.NotEmpty(t, testkit.FailedTransfer(t, err, "Documents.Upload").FileID)
	}, practicetest.WithStrict(false))
}

type unreadable struct {
	io.Seeker
	err error
}

func (u *unreadable) Read([]byte) (int, error) { return 0, u.err }
