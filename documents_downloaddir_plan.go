package practice

import (
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"strconv"

	"github.com/practicesdk/practice-go/internal/manifest"
	"github.com/practicesdk/practice-go/internal/names"
	"github.com/practicesdk/practice-go/models"
)

// remoteFile is a file of the service that has to be received.
type remoteFile struct {
	path   string // of the local file, with slashes
	record *models.File
	action DirAction
}

// plan reads the folders of the matter, makes the local ones, and gives the
// files that have to be received.
func (d *dirDownload) plan() (files []*remoteFile) {
	dirs := map[string]string{folderKey(d.options.FolderID): "."} // local paths by the ids of folders
	var in string                                                 // the folder whose entries are being collected
	var entries []Entry
	flush := func() {
		if dir, placed := dirs[in]; placed {
			files = append(files, d.planFolder(dir, entries, dirs)...)
		} else {
			d.leave(entries)
		}
		entries = nil
	}
	in = folderKey(d.options.FolderID)
	options := WalkOptions{FolderID: d.options.FolderID, Concurrency: d.concurrency}
	for entry, err := range d.documents.Walk(d.ctx, d.matterID, options, d.opts...) {
		if err != nil {
			d.unread(err, dirs)
			continue
		}
		// A walk is through with a folder when it comes to the next one.
		if holder := d.holder(entry); holder != in {
			flush()
			in = holder
		}
		entries = append(entries, entry.Entry)
	}
	flush()
	return files
}

// leave counts the files of a folder that has no place.
func (d *dirDownload) leave(entries []Entry) {
	for _, entry := range entries {
		if entry.File != nil && entry.uploaded() {
			d.expect()
		}
	}
}

// holder is the folder that an entry lies in.
func (d *dirDownload) holder(entry WalkEntry) string {
	if n := len(entry.Parents); n > 0 {
		return folderKey(entry.Parents[n-1].ID)
	}
	return folderKey(d.options.FolderID)
}

// unread reports a folder, or an entry of it, that could not be read.
func (d *dirDownload) unread(err error, dirs map[string]string) {
	result := DirResult{Path: ".", IsDir: true, Err: err}
	if failed, ok := errors.AsType[*FolderError](err); ok {
		result.ID = failed.FolderID
		if dir, placed := dirs[folderKey(failed.FolderID)]; placed {
			result.Path = dir
		} else if failed.Path != "" {
			result.Path = failed.Path
		}
	}
	d.add(result)
}

// planFolder names the entries of a folder, makes its sub folders, and gives the
// files that have to be received.
func (d *dirDownload) planFolder(dir string, entries []Entry, dirs map[string]string) (files []*remoteFile) {
	for i, name := range names.DistinctLocal(named(entries)) {
		at := path.Join(dir, name)
		if folder := entries[i].Folder; folder != nil {
			if err := d.makeDir(at); err != nil {
				d.add(DirResult{Path: at, ID: folder.ID, IsDir: true, Err: err})
				continue
			}
			dirs[folderKey(folder.ID)] = at
			continue
		}
		record := entries[i].File
		result := DirResult{Path: at, ID: record.ID, Size: record.SizeBytes.Or(0)}
		if !entries[i].uploaded() {
			result.Action = DirIgnored
			d.add(result)
			continue
		}
		d.expect()
		if result.Action = d.decide(at, record); result.Action == DirKept {
			d.add(result)
			continue
		}
		files = append(files, &remoteFile{path: at, record: record, action: result.Action})
	}
	return files
}

// makeDir makes a folder, unless it is there.
func (d *dirDownload) makeDir(at string) error {
	err := d.root.Mkdir(filepath.FromSlash(at), ownerOnly)
	if errors.Is(err, fs.ErrExist) {
		info, statErr := d.root.Lstat(filepath.FromSlash(at)) // a link leads to the place of other files
		if statErr == nil && info.IsDir() {
			return nil
		}
	}
	return err
}

// decide compares a file with the local one.
func (d *dirDownload) decide(at string, record *models.File) DirAction {
	known, ours := d.manifest.Lookup(at)
	info, err := d.root.Lstat(filepath.FromSlash(at))
	switch {
	case err != nil:
		return DirCreated
	case ours && known == entryOf(at, record, info.Size()) && known.Version != "" && info.Mode().IsRegular():
		return DirKept
	}
	return DirUpdated
}

// entryOf is what the manifest says of a file that is in place.
func entryOf(at string, record *models.File, size int64) manifest.Entry {
	return manifest.Entry{Path: at, FileID: record.ID, Version: versionOf(record), Size: size}
}

// versionOf names the version of a content: by its id, else by when it changed
// and how long it is. Empty when the service says neither.
func versionOf(record *models.File) string {
	switch {
	case record.VersionID != "":
		return record.VersionID
	case record.DateModified.IsZero():
		return ""
	}
	return record.DateModified.String() + " " + strconv.FormatInt(record.SizeBytes.Or(-1), 10)
}
