package practice

import (
	"context"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/practicesdk/practice-go/internal/filenames"
	"github.com/practicesdk/practice-go/internal/transfer"
)

// DownloadOptions choose the version of a file and how Download and
// DownloadFile read it. The zero value reads the latest version.
type DownloadOptions struct {
	VersionID string // version of the file; empty: the latest
	// Ranges is the maximum number of parts that are fetched at the same time,
	// each over its own connection: 1 to 64; 0 means 4. More than one is used
	// only for a download into a file, and only if the storage supports
	// versions and ranges.
	Ranges int
	// RangeSize is the smallest part in bytes that gets its own connection. A
	// file smaller than twice that size is read in one stream. 0 means 4 MiB.
	RangeSize int64
	// Progress receives the number of bytes received so far and the total,
	// which is -1 while it is unknown. done does not decrease, even when an
	// attempt starts over. Calls do not overlap and delay the transfer, so
	// Progress must be quick.
	Progress func(done, total int64)
	// Into lets DownloadFile write below an open directory. If Into is nil, the
	// path is an ordinary path.
	Into *DownloadTarget
}

// DownloadTarget is an open directory that DownloadFile writes into. The path
// must include the name of the file, is relative to Root and cannot leave it.
// DownloadedFile then has the SHA256 of the content.
type DownloadTarget struct {
	Root *os.Root
	// FileMode sets the permissions of the file; 0 means that only its owner
	// can use it.
	FileMode fs.FileMode
	ModTime  time.Time // modification time of the file; zero: the time of arrival
	// Replace is called before a file is replaced, once the content has
	// arrived; an error keeps the old file. If nil, no file is replaced: the
	// call fails with fs.ErrExist.
	Replace func() error
}

const (
	defaultRanges    = 4
	maxRanges        = 64
	defaultRangeSize = 4 << 20
)

// checkRanges returns the name of an option that is out of range, and why.
func checkRanges(ranges int, size int64) (argument, reason string) {
	switch {
	case ranges < 0 || ranges > maxRanges:
		return "Ranges", "must be between 0 and 64"
	case size < 0:
		return "RangeSize", "must not be negative"
	}
	return "", ""
}

// engine returns the options for package transfer, with the defaults filled in.
func (o DownloadOptions) engine() transfer.Options {
	engine := transfer.Options{Ranges: o.Ranges, RangeSize: o.RangeSize, Progress: o.Progress}
	if engine.Ranges == 0 {
		engine.Ranges = defaultRanges
	}
	if engine.RangeSize == 0 {
		engine.RangeSize = defaultRangeSize
	}
	return engine
}

// Download writes the content of a file to w and returns the number of bytes
// written. It resumes an interrupted transfer after the last byte received,
// with a new address if the old one has expired, as often as WithRetries
// allows. It never mixes the content of two versions: it fails with
// ErrVersionChanged. It checks the size against the announced one. If the
// transfer fails, the error is a *TransferError, and w has received the first
// bytes of the content or, after ErrSizeMismatch, the bytes that the storage
// sent instead.
//
// If w is an *os.File positioned at its end, Download uses several connections
// (see [DownloadOptions]), and starts over if the file gets another version
// meanwhile. DownloadFile leaves no partial file under the final name.
func (s *DocumentsService) Download(ctx context.Context, matterID, fileID string, w io.Writer, options DownloadOptions, opts ...CallOption) (n int64, err error) {
	const operation = "Documents.Download"
	ctx, observer := s.client.observeTransfer(ctx, operation)
	defer observer.endOf(&err)
	if w == nil {
		return 0, &ArgumentError{Operation: operation, Argument: "w", Reason: "must not be nil"}
	}
	d, err := s.download(ctx, operation, matterID, fileID, options, opts)
	if err != nil {
		return 0, err
	}
	return d.copyTo(ctx, w)
}

// DownloadedFile describes a file that was downloaded.
type DownloadedFile struct {
	Path string // path of the written file
	Size int64  // size in bytes
	// Resumed is the number of bytes that were left by an earlier call.
	Resumed int64
	// ETag is the entity tag of the content, with its quotes. It is empty if
	// the storage sends none.
	ETag     string
	Requests int // requests to the storage: one for each part if nothing was retried
	// SHA256 is the digest of the content in hexadecimal. It is empty without
	// DownloadOptions.Into.
	SHA256 string
}

// DownloadFile writes the content of a file to the local file at path, whose
// folder must exist. Until the content is complete, it is in a file beside path
// whose name begins with ".practice-" and ends with ".part". Then DownloadFile
// syncs it and renames it to path, replacing a file or link; anything else at
// path fails with fs.ErrExist. Only its owner can read it.
//
// If path is a folder, the file gets its name in the service, in a form that is
// safe on every system: separators, drives, control characters and trailing
// dots or spaces become _, device names get a leading _, and long names are
// shortened. An existing file is not replaced; the call fails with fs.ErrExist.
//
// DownloadFile retries like Download. After an error it keeps the partial file,
// and the next DownloadFile of the same file to the same path resumes it, also
// in another process, unless the file has a new version. It reads a large file
// over several connections (see [DownloadOptions]).
func (s *DocumentsService) DownloadFile(ctx context.Context, matterID, fileID, path string, options DownloadOptions, opts ...CallOption) (file *DownloadedFile, err error) {
	const operation = "Documents.DownloadFile"
	ctx, observer := s.client.observeTransfer(ctx, operation)
	defer observer.endOf(&err)
	begin := func() (*download, error) { return s.download(ctx, operation, matterID, fileID, options, opts) }
	if options.Into != nil {
		return options.Into.receive(ctx, operation, fileID, path, begin)
	}
	return downloadTo(ctx, operation, fileID, path, begin)
}

// receive writes content to the file at path below the directory.
func (t *DownloadTarget) receive(ctx context.Context, operation, id, path string, begin func() (*download, error)) (*DownloadedFile, error) {
	if t.Root == nil {
		return nil, &ArgumentError{Operation: operation, Argument: "Into", Reason: "must have a Root"}
	}
	folder, err := t.Root.OpenRoot(filepath.Dir(path))
	if err != nil {
		return nil, transferError(operation, id, &transfer.Error{Err: err})
	}
	defer func() { _ = folder.Close() }() // the folder is only read, so Close loses no data
	d, err := begin()
	if err != nil {
		return nil, err
	}
	options := d.object.Options()
	options.Mode, options.ModTime, options.Replace, options.SHA256 = t.FileMode, t.ModTime, t.Replace, true
	file, err := d.toFile(ctx, folder, filepath.Base(path), t.Replace != nil)
	if err != nil {
		return nil, err
	}
	file.Path = path
	return file, nil
}

// downloadTo requests the address of a content and writes the content to the
// local file at path.
func downloadTo(ctx context.Context, operation, id, path string, begin func() (*download, error)) (*DownloadedFile, error) {
	if path == "" {
		return nil, &ArgumentError{Operation: operation, Argument: "path", Reason: "must not be empty"}
	}
	folder, name := splitTarget(path)
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, transferError(operation, id, &transfer.Error{Err: err})
	}
	defer func() { _ = root.Close() }() // the root is only read, so Close loses no data
	d, err := begin()
	if err != nil {
		return nil, err
	}
	replace := name != ""
	if !replace {
		name = d.localName()
	}
	file, err := d.toFile(ctx, root, name, replace)
	if err != nil {
		return nil, err
	}
	file.Path = filepath.Join(folder, name)
	return file, nil
}

// splitTarget splits a path into folder and name. The name is empty if the path
// is a folder.
func splitTarget(path string) (folder, name string) {
	if info, err := os.Stat(path); err == nil && info.IsDir() || os.IsPathSeparator(path[len(path)-1]) {
		return path, ""
	}
	return filepath.Dir(path), filepath.Base(path)
}

// download is a file, or the PDF of an invoice, that Download, DownloadFile or
// Open reads.
type download struct {
	fileTransfer
	versionID string // empty: the latest
	name      string // name that the service returned; may be empty
	object    *transfer.Object

	locateCall func(context.Context) *call                          // prepares the call that requests the address
	placeOf    func(*call) (name string, _ transfer.Place, _ error) // sends the call prepared by locateCall
}

// download prepares the download of a file.
func (s *DocumentsService) download(ctx context.Context, operation, matterID, fileID string, options DownloadOptions, opts []CallOption) (*download, error) {
	if argument, reason := checkRanges(options.Ranges, options.RangeSize); reason != "" {
		return nil, &ArgumentError{Operation: operation, Argument: argument, Reason: reason}
	}
	d := &download{
		fileTransfer: fileTransfer{documents: s, operation: operation, matterID: matterID, fileID: fileID, opts: opts},
		versionID:    options.VersionID,
	}
	d.locateCall = func(ctx context.Context) *call {
		return s.getDownloadURLCall(ctx, matterID, fileID, DownloadURLOptions{VersionID: d.versionID}, opts)
	}
	d.placeOf = downloadPlace
	return d.begin(ctx, options)
}

// begin requests the first address.
func (d *download) begin(ctx context.Context, options DownloadOptions) (*download, error) {
	c := d.locateCall(ctx)
	settings := c.settings
	name, place, err := d.placeOf(c)
	if err != nil {
		return nil, err
	}
	d.name = name
	d.object = d.engine(settings, d.locate).Object(place, options.engine())
	return d, nil
}

// locate requests a new address.
func (d *download) locate(ctx context.Context) (transfer.Place, *transfer.LocateError) {
	_, place, err := d.placeOf(further(d.locateCall(ctx)))
	if err != nil {
		return place, locateError(err, false)
	}
	return place, nil
}

// localName returns the name of the file, or its id if it has no name.
func (d *download) localName() string {
	if d.name == "" {
		return filenames.Local(d.fileID)
	}
	return filenames.Local(d.name)
}

// copyTo writes the content to w.
func (d *download) copyTo(ctx context.Context, w io.Writer) (int64, error) {
	n, err := d.object.CopyTo(ctx, w)
	return n, d.failure(err)
}

// toFile writes the content to a file in a folder.
func (d *download) toFile(ctx context.Context, root *os.Root, name string, replace bool) (*DownloadedFile, error) {
	file, err := d.store(ctx, root, name, replace)
	if err != nil {
		return nil, err
	}
	return &DownloadedFile{Size: file.Size, Resumed: file.Resumed, ETag: file.ETag, Requests: file.Requests, SHA256: file.SHA256}, nil
}

func (d *download) store(ctx context.Context, root *os.Root, name string, replace bool) (transfer.File, error) {
	file, err := d.object.ToFile(ctx, root, name, replace, d.matterID, d.fileID, d.versionID)
	return file, d.failure(err)
}
