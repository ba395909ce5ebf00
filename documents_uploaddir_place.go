package practice

import (
	"fmt"
	"time"

	"github.com/practicesdk/practice-go/models"
)

// AmbiguousFileError reports several files of one name in one folder. UploadDir
// cannot tell which of them to update.
type AmbiguousFileError struct {
	Name     string   // with its extension
	FolderID string   // empty for the root folder
	IDs      []string // of the files, in the order of the listing
}

// Error says what happened, without any secret.
func (e *AmbiguousFileError) Error() string {
	return fmt.Sprintf("practice: %d files are named %q", len(e.IDs), oneLine(e.Name))
}

// listing is what a folder of the service has, by name.
type listing struct {
	folders map[string][]string
	files   map[string][]*models.File
}

func listingOf(entries []Entry) listing {
	l := listing{folders: map[string][]string{}, files: map[string][]*models.File{}}
	for _, entry := range entries {
		switch name := entry.Name(); {
		case entry.deleted():
		case entry.Folder != nil:
			l.folders[name] = append(l.folders[name], entry.ID())
		default:
			l.files[name] = append(l.files[name], entry.File)
		}
	}
	return l
}

// place finds or makes the folders of the service, level by level, and decides
// what has to be done about each file. It gives the folders that are in place.
func (u *dirUpload) place(root *localDir) (placed []*localDir) {
	for level := []*localDir{root}; len(level) > 0 && u.ctx.Err() == nil; {
		each(u.dirRun, level, u.list)
		var missing, next []*localDir
		for _, dir := range level {
			u.compare(dir)
			for _, sub := range dir.dirs {
				u.match(sub, &missing)
			}
			dir.listed = listing{} // a matter may be large
		}
		each(u.dirRun, missing, u.makeDir)
		for _, dir := range level {
			for _, sub := range dir.dirs {
				if sub.id != "" {
					next = append(next, sub)
				}
			}
		}
		placed = append(placed, level...)
		level = next
	}
	return placed
}

// list reads the folder in the service. Nothing is made in a folder that is not
// known completely: it might be there already.
func (u *dirUpload) list(dir *localDir) {
	if !dir.made.IsZero() {
		return // it is empty
	}
	entries, err := Collect(u.documents.AllEntries(u.ctx, u.matterID, dir.id, u.opts...))
	if err != nil {
		u.fail(dir, err)
		return
	}
	dir.listed = listingOf(entries)
}

// match finds the counterpart of a folder, or adds it to those that are missing.
func (u *dirUpload) match(dir *localDir, missing *[]*localDir) {
	switch ids := dir.parent.listed.folders[dir.name]; len(ids) {
	case 0:
		*missing = append(*missing, dir)
	case 1:
		if badIdentifier(ids[0]) != "" {
			u.fail(dir, fmt.Errorf("practice: the folder is listed: %w", ErrNoID))
			return
		}
		dir.id = ids[0]
	default:
		u.fail(dir, &AmbiguousFolderError{Name: dir.name, ParentID: dir.parent.id, IDs: ids})
	}
}

func (u *dirUpload) makeDir(dir *localDir) {
	var id string
	err := u.inFolder(dir.parent, func() error {
		var err error
		id, err = u.documents.createdFolder(u.grace, u.matterID, models.FolderCreate{Name: dir.name, ParentFolderID: dir.parent.id}, u.opts)
		return err
	})
	if err != nil {
		u.fail(dir, err)
		return
	}
	dir.id, dir.made = id, time.Now()
}

// compare decides about the files of a folder.
func (u *dirUpload) compare(dir *localDir) {
	kept := dir.files[:0]
	for _, file := range dir.files {
		id, action, err := u.decide(file, dir.listed.files[file.info.Name()])
		if err != nil || action == DirKept {
			u.add(DirResult{Path: file.path, Action: action, ID: id, Size: file.info.Size(), Err: err})
			continue
		}
		file.id, file.action = id, action
		kept = append(kept, file)
	}
	dir.files = kept
}

func (u *dirUpload) decide(file *localFile, there []*models.File) (id string, action DirAction, err error) {
	for _, record := range there {
		if badIdentifier(record.ID) == "" && isStored(record, file.info.Size()) && (u.options.Changed == nil || !u.options.Changed(file.info, record)) {
			return record.ID, DirKept, nil
		}
	}
	switch {
	case len(there) == 0:
		return "", DirCreated, nil
	case len(there) > 1:
		several := &AmbiguousFileError{Name: file.info.Name(), FolderID: file.dir.id}
		for _, record := range there {
			several.IDs = append(several.IDs, record.ID)
		}
		return "", DirFailed, several
	case badIdentifier(there[0].ID) != "":
		return "", DirFailed, fmt.Errorf("practice: the file is listed: %w", ErrNoID)
	case !there[0].IsUploaded.Or(true):
		return there[0].ID, DirResumed, nil
	}
	return there[0].ID, DirUpdated, nil
}

// isStored tells whether the service has content of that size for a file.
func isStored(record *models.File, size int64) bool {
	stored, known := record.SizeBytes.Get()
	return record.IsUploaded.Or(true) && known && stored == size
}
