package mirror

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/practicesdk/practice-go/internal/partfile"
	"github.com/practicesdk/practice-go/internal/transfer"
	"github.com/practicesdk/practice-go/mirror/internal/plan"
)

// disk is the local side: a tree to read and, unless it is read-only, the root
// directory to write to.
type disk struct {
	fsys fs.FS
	root *os.Root // root of the tree; nil if the tree is only an fs.FS
}

// found is the result of a scan of the local side.
type found struct {
	locals []*plan.Local
	infos  map[string]fs.FileInfo
	hidden map[string]error // excluded paths, with nil, and unreadable ones, with their error
	parts  []string         // unfinished files of this library
}

// unknown reports whether a path was excluded or could not be read.
func (f *found) unknown(at string) bool {
	for ; ; at = path.Dir(at) {
		if _, hidden := f.hidden[at]; hidden || at == "." {
			return hidden
		}
	}
}

// scan lists the tree. It skips files of this library, except for parked files,
// which have such names.
func (d *disk) scan(ctx context.Context, parked map[string]bool, leaveOut func(string, fs.FileInfo) bool) (*found, error) {
	f := &found{infos: map[string]fs.FileInfo{}, hidden: map[string]error{}}
	err := fs.WalkDir(d.fsys, ".", func(at string, entry fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case err != nil && at == ".":
			return err
		case err != nil:
			f.hidden[at] = err
			return fs.SkipDir
		case at == ".":
			return nil
		case strings.HasPrefix(entry.Name(), partfile.Prefix) && !parked[at]:
			if !entry.IsDir() {
				f.parts = append(f.parts, at)
			}
			return skip(entry)
		}
		info, err := entry.Info()
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			f.hidden[at] = err
			return skip(entry)
		case leaveOut(at, info):
			f.hidden[at] = nil
			return skip(entry)
		case info.IsDir() && !utf8.ValidString(at):
			f.hidden[at] = errNotUTF8
			return fs.SkipDir
		}
		f.infos[at] = info
		l := &plan.Local{Path: at, Dir: info.IsDir(), Other: !info.IsDir() && !info.Mode().IsRegular()}
		if l.Inode, _ = inodeOf(info); !l.Dir {
			l.Size, l.Stamp = info.Size(), stampOf(at, info)
		}
		f.locals = append(f.locals, l)
		return nil
	})
	return f, err
}

func skip(entry fs.DirEntry) error {
	if entry.IsDir() {
		return fs.SkipDir
	}
	return nil
}

// contentOf returns a fingerprint of the content of a file. It changes with the
// content, unless a program restores size and time, and does not change by a
// rename.
func contentOf(info fs.FileInfo) string {
	inode, _ := inodeOf(info)
	return fmt.Sprintf("%d %d %d.%09d", inode, info.Size(), info.ModTime().Unix(), info.ModTime().Nanosecond())
}

// stampOf returns a fingerprint of the file at a path, or "" if it has no time.
// Without an inode it includes the path, because two files may have the same
// size and time.
func stampOf(at string, info fs.FileInfo) string {
	inode, changed := inodeOf(info)
	switch {
	case info.ModTime().IsZero():
		return ""
	case inode == 0:
		return fmt.Sprint(contentOf(info), " ", at)
	}
	return fmt.Sprint(contentOf(info), " ", changed)
}

// tick is the coarsest resolution of file times, that of some disks.
const tick = 2 * time.Second

// settled reports whether a file is old enough that another change would change
// its stamp.
func settled(info fs.FileInfo) bool {
	_, changed := inodeOf(info)
	last := info.ModTime()
	if changed != 0 {
		last = time.Unix(0, changed)
	}
	return time.Since(last).Abs() > tick // a time in the future does not matter
}

// open opens a regular file.
func (d *disk) open(at string) (fs.File, fs.FileInfo, error) {
	file, err := d.fsys.Open(at)
	if err != nil {
		return nil, nil, asVanished(err)
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = ErrChanged
	}
	if err != nil {
		return nil, nil, errors.Join(err, file.Close())
	}
	return file, info, nil
}

// errNotUTF8 reports a name that the service cannot have.
var errNotUTF8 = fmt.Errorf("the local name is not valid UTF-8: %w", fs.ErrInvalid)

// sum returns the digest of a file, and its stamp if that is reliable.
func (d *disk) sum(ctx context.Context, at string) (digest, stamp string, size int64, err error) {
	if !utf8.ValidString(at) {
		return "", "", 0, errNotUTF8
	}
	file, err := d.fsys.Open(at)
	if err != nil {
		return "", "", 0, asVanished(err)
	}
	defer func() { _ = file.Close() }() // it was only read
	info, err := file.Stat()
	if err != nil {
		return "", "", 0, err
	}
	if settled(info) { // a change from now on shows in the next stamp
		stamp = stampOf(at, info)
	}
	hash := sha256.New()
	if size, err = io.Copy(hash, transfer.ContextReader(ctx, file)); err != nil {
		return "", "", 0, err
	}
	return hex.EncodeToString(hash.Sum(nil)), stamp, size, nil
}

func (d *disk) lstat(at string) (fs.FileInfo, error) { return d.root.Lstat(filepath.FromSlash(at)) }

// unchanged returns ErrChanged unless the path still holds the scanned file.
func (d *disk) unchanged(at string, seen fs.FileInfo) error {
	info, err := d.lstat(at)
	if err == nil && !sameContent(info, seen) {
		return ErrChanged
	}
	return asVanished(err)
}

// sameContent reports whether a file has not been written to since the scan.
func sameContent(info, seen fs.FileInfo) bool {
	return info.Mode().Type() == seen.Mode().Type() && (info.IsDir() || contentOf(info) == contentOf(seen))
}

// move moves a file or folder to a free path.
func (d *disk) move(from, to string) error {
	from, to = filepath.FromSlash(from), filepath.FromSlash(to)
	info, err := d.root.Lstat(from)
	if err != nil {
		return err
	}
	if there, err := d.root.Lstat(to); err == nil && os.SameFile(info, there) { // on some file systems it is another spelling of the same name
		return d.root.Rename(from, to)
	}
	return partfile.Rename(d.root, from, to)
}
