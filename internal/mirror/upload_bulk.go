package mirror

import (
	"fmt"
	"path"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/practicesdk/practice-go/internal/backoff"
	"github.com/practicesdk/practice-go/internal/filenames"
	"github.com/practicesdk/practice-go/internal/transfer"
	"github.com/practicesdk/practice-go/models"
)

// Records of new files are made many at a time. A call that makes them does not
// say which record is whose: the list of their folder does, so that it has to
// be worth a look.
const (
	filesPerCall  = 100  // as Documents.CreateFiles advises
	filesPerBatch = 1000 // records without content that an interruption may leave
	filesPerPage  = 10   // new files that are worth reading a page of the folder
	// entriesPerPage is the largest page of a folder.
	entriesPerPage = 500
)

// batch are new files of one folder whose records are made together, once the
// first of them is about to be sent.
type batch struct {
	dir   *localDir
	files []*localFile
	begun atomic.Bool
	known chan struct{} // closed when each file has its record, or none
}

// announced is what became of the record of a file of a batch.
type announced struct {
	place transfer.Place // where its content goes
	err   error          // why it has no record that is known
}

// together puts new files into batches, where that saves requests. Names that a
// service may change are not found again by them.
func (u *upload) together(files []*localFile) {
	if u.options.Settle < 0 || u.DryRun {
		return // nobody waits for a list
	}
	byDir := map[*localDir][]*localFile{}
	var dirs []*localDir
	for _, file := range files {
		if file.Verdict == Created && filenames.Local(file.name) == file.name {
			if byDir[file.dir] == nil {
				dirs = append(dirs, file.dir)
			}
			byDir[file.dir] = append(byDir[file.dir], file)
		}
	}
	for _, dir := range dirs {
		fresh := byDir[dir]
		pages := 1 + (u.listed[Key(dir.id)]+len(fresh))/entriesPerPage
		if len(fresh) < filesPerPage*pages {
			continue
		}
		for part := range slices.Chunk(fresh, filesPerBatch) {
			b := &batch{dir: dir, files: part, known: make(chan struct{})}
			for _, file := range part {
				file.batch = b
			}
		}
	}
}

// announce makes the records of a batch, unless another file of it has asked
// for that: then it waits. A file that gets none, because its call was refused,
// is made alone.
func (u *upload) announce(b *batch) {
	if b.begun.Swap(true) {
		<-b.known
		return
	}
	whole := false
	defer func() {
		if !whole { // a function of the caller panicked: the records may have been made
			for _, file := range b.files {
				file.announced = &announced{err: ErrNotVisibleYet}
			}
		}
		close(b.known)
	}()
	unknown := map[string]transfer.Place{} // by the id of the record
	var mu sync.Mutex
	calls := slices.Collect(slices.Chunk(b.files, filesPerCall))
	eachUntil(u.ctx, u.run, calls, func(files []*localFile) {
		places, err := u.announceSome(b.dir, files)
		mu.Lock()
		defer mu.Unlock()
		for _, file := range files {
			switch {
			case err == nil:
				file.announced = &announced{err: ErrNotVisibleYet}
			case file.uncertain:
				file.announced = &announced{err: err}
			}
		}
		for id, place := range places {
			unknown[id] = place
		}
	})
	u.identify(b, unknown)
	whole = true
}

// announceSome makes the records of some files in one call.
func (u *upload) announceSome(dir *localDir, files []*localFile) (places map[string]transfer.Place, err error) {
	records := make([]models.FileCreate, len(files))
	for i, file := range files {
		records[i] = models.FileCreate{FileName: file.name, FolderID: dir.id, DateCreated: models.DateTimeOf(file.info.ModTime())}
		if err := u.intend(file.Path, dir); err != nil {
			return nil, err
		}
	}
	err = u.inFolder(dir, func() (err error) {
		places, err = u.service.CreateFiles(u.grace, records)
		return err
	})
	if places != nil { // they were made, also when not all could be read
		return places, nil
	}
	for _, file := range files {
		file.uncertain, _ = u.made(file.Path, "", false, err) // it is made alone otherwise
	}
	return nil, err
}

// identify finds out whose records were made, and notes them. It looks for as
// long as the service may take to list them.
func (u *upload) identify(b *batch, unknown map[string]transfer.Place) {
	byName := map[string]*localFile{}
	for _, file := range b.files {
		if file.announced != nil && !file.uncertain {
			byName[file.name], file.uncertain = file, true
		}
	}
	end := time.Now().Add(u.options.Settle)
	var problem error
	for looks := 0; len(unknown) > 0 && len(byName) > 0; looks++ {
		if time.Now().After(end) || backoff.Sleep(u.grace, backoff.Exponential(firstPause, longestPause, looks)) != nil {
			break
		}
		var entries []Remote
		entries, problem = u.service.List(u.grace, b.dir.id)
		for _, entry := range entries {
			place, ours := unknown[Key(entry.ID)]
			file := byName[entry.Name]
			if entry.Dir || !ours || file == nil {
				continue
			}
			delete(unknown, Key(entry.ID))
			delete(byName, entry.Name)
			u.identified(file, entry.ID, place)
		}
	}
	if problem != nil && u.service.Meaning(problem) != NotFound {
		for _, file := range byName {
			file.announced.err = fmt.Errorf("%w: %w", ErrNotVisibleYet, problem)
		}
	}
}

// identified notes the record of a file. Its content goes there.
func (u *upload) identified(file *localFile, id string, place transfer.Place) {
	_, err := u.made(path.Join(path.Dir(file.Path), file.name), id, false, nil)
	*file.announced = announced{place: place, err: err}
	file.id, file.made, file.uncertain = id, true, false
}
