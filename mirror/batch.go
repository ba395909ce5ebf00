package mirror

import (
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
	intent  note
	address *models.UploadInfo // nil if the record was not found
	err     error
}

// inBatches creates the records of new files together where that saves
// requests, and sends their contents. It returns the remaining outcomes.
func (x *execution) inBatches(contents []*plan.Outcome) []*plan.Outcome {
	listed, fresh, made := map[string]int{}, map[string][]*plan.Outcome{}, map[*plan.Step]*batched{}
	for _, t := range x.trees.There {
		listed[t.Parent]++
	}
	for _, o := range contents {
		s := o.Transfer
		if s.Op == plan.Create && s.Aside == "" && x.attempt(s.Within).err == nil && x.ListWait >= 0 && filenames.Local(s.Name) == s.Name {
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
			x.announce(in, part, made)
			each(x.ctx, x.run, part, func(o *plan.Outcome) {
				if b := made[o.Transfer]; b != nil {
					x.finish(o, b)
				}
			})
		}
	}
	return slices.DeleteFunc(contents, func(o *plan.Outcome) bool { return made[o.Transfer] != nil })
}

// announce creates the records of the new files of one folder, finds the record
// of each file, and adds them to made. If a call is refused, its files are
// created one by one later.
func (x *execution) announce(in string, files []*plan.Outcome, made map[*plan.Step]*batched) {
	unknown, byName := map[plan.Key]models.UploadInfo{}, map[string]*batched{}
	var mu sync.Mutex
	each(x.ctx, x.run, slices.Collect(slices.Chunk(files, filesPerCall)), func(some []*plan.Outcome) {
		infos, records := x.announceSome(in, some)
		mu.Lock()
		defer mu.Unlock()
		for _, info := range infos {
			unknown[plan.File(info.FileID)] = info
		}
		for s, b := range records {
			if made[s] = b; b.err == nil {
				byName[s.Name] = b
			}
		}
	})
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
}

// announceSome creates records in one call. It returns none if the call is
// refused.
func (x *execution) announceSome(in string, some []*plan.Outcome) (infos []models.UploadInfo, made map[*plan.Step]*batched) {
	made = map[*plan.Step]*batched{}
	var files []models.FileCreate
	var intents []note
	for _, o := range some {
		s := o.Transfer
		n := intent(false, awaited{In: in, Name: s.Name, Made: true, Digest: s.Here.Digest, Size: s.Here.Size})
		made[s], intents = &batched{intent: n}, append(intents, n)
		files = append(files, fileOf(s, in, x.local.infos[s.Path]))
	}
	err := x.intend(some[0].Transfer.Within, func() (err error) {
		if infos, err = x.service.MakeFiles(x.grace, files); infos != nil {
			return nil // the records exist, even if some responses could not be read
		}
		return err
	}, intents...)
	if err != nil && !unclear(err) {
		return nil, nil
	}
	for _, b := range made {
		b.err = err
	}
	return infos, made
}
