package mirror

import (
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/practicesdk/practice-go/internal/backoff"
	"github.com/practicesdk/practice-go/internal/filenames"
	"github.com/practicesdk/practice-go/mirror/internal/plan"
	"github.com/practicesdk/practice-go/models"
)

// Limits for creating the records of new files together. The response does not
// say which record belongs to which file. Listing the folder does, but costs
// requests.
const (
	filesPerCall   = 100  // as recommended for Documents.CreateFiles
	filesPerBatch  = 1000 // maximum number of records that an interruption can leave without content
	filesPerPage   = 10   // minimum number of new files for each page of the folder that must be read
	entriesPerPage = 500  // page size of a folder listing
)

// batched is the created record of a file, usually from a call for several
// files.
type batched struct {
	intent  plan.Key
	address *models.UploadInfo // nil if the record was not found
	err     error
}

// inBatches creates the records of new files together where that saves
// requests, and sends their contents. It returns the remaining outcomes.
func (x *execution) inBatches(contents []*plan.Outcome) []*plan.Outcome {
	listed, fresh, together := map[string]int{}, map[string][]*plan.Outcome{}, map[*plan.Outcome]bool{}
	for _, t := range x.trees.There {
		listed[t.Parent]++
	}
	for _, o := range contents {
		s := o.Transfer
		if s.Op == plan.Create && s.Aside == "" && x.attempt(s.Within).err == nil && x.Settle >= 0 && filenames.Local(s.Name) == s.Name {
			in := x.folderOf(s)
			fresh[in] = append(fresh[in], o)
		}
	}
	for in, some := range fresh {
		pages := 1 + (listed[plan.Folder(in).ID]+len(some))/entriesPerPage
		if len(some) < filesPerPage*pages {
			continue
		}
		for part := range slices.Chunk(some, filesPerBatch) {
			made := x.announce(in, part)
			each(x.ctx, x.run, part, func(o *plan.Outcome) { x.finish(o, made[o.Transfer]) })
			for _, o := range part {
				together[o] = true
			}
		}
	}
	return slices.DeleteFunc(contents, func(o *plan.Outcome) bool { return together[o] })
}

// announce creates the records of the new files of one folder and finds the
// record of each file. If a call is refused, its files are created one by one
// later.
func (x *execution) announce(in string, files []*plan.Outcome) map[*plan.Step]*batched {
	unknown, made := map[plan.Key]models.UploadInfo{}, map[*plan.Step]*batched{}
	var mu sync.Mutex
	each(x.ctx, x.run, slices.Collect(slices.Chunk(files, filesPerCall)), func(some []*plan.Outcome) {
		infos, records := x.announceSome(in, some)
		mu.Lock()
		defer mu.Unlock()
		for _, info := range infos {
			unknown[plan.File(info.FileID)] = info
		}
		maps.Copy(made, records)
	})
	byName := map[string]*batched{}
	for s, b := range made {
		if b.err == nil {
			byName[s.Name] = b
		}
	}
	end := time.Now().Add(x.settling)
	for looks := 0; len(unknown) > 0 && len(byName) > 0 && time.Now().Before(end); looks++ {
		if backoff.Sleep(x.grace, backoff.Exponential(firstPause, longestPause, looks)) != nil {
			break
		}
		entries, err := x.service.List(x.grace, in)
		if err != nil {
			continue
		}
		for i := range entries {
			info, ours := unknown[entries[i].Key]
			if b := byName[entries[i].Name]; ours && b != nil {
				b.address = &info
				delete(byName, entries[i].Name)
				delete(unknown, entries[i].Key)
			}
		}
	}
	return made
}

// announceSome creates records in one call.
func (x *execution) announceSome(in string, some []*plan.Outcome) (infos []models.UploadInfo, made map[*plan.Step]*batched) {
	made = map[*plan.Step]*batched{}
	var files []models.FileCreate
	var notes, done []note
	for _, o := range some {
		s := o.Transfer
		b := &batched{intent: intent(false)}
		made[s] = b
		files = append(files, fileOf(s, in, x.local.infos[s.Path]))
		wait := awaiting(awaited{In: in, Name: s.Name, Made: true, Digest: s.Here.Digest, Size: s.Here.Size})
		notes, done = append(notes, note{ID: b.intent.ID, Await: wait}), append(done, note{ID: b.intent.ID})
	}
	err := x.manifest.update(notes...)
	if err == nil {
		err = x.inFolder(some[0].Transfer.Within, func() (err error) {
			infos, err = x.service.MakeFiles(x.grace, files)
			return err
		})
	}
	switch {
	case infos != nil || err == nil: // the records exist, even if some responses could not be read
		return infos, made
	case unclear(err):
		for _, b := range made {
			b.err = err
		}
		return nil, made
	}
	_ = x.manifest.update(done...) // otherwise a later call would wait for these records
	return nil, nil
}
