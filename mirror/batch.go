package mirror

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/practicesdk/practice-go/internal/backoff"
	"github.com/practicesdk/practice-go/internal/filenames"
	"github.com/practicesdk/practice-go/mirror/internal/plan"
	"github.com/practicesdk/practice-go/models"
)

// Records of new files are made many at a time. The answer does not name the
// file of each record; the list of the folder does, and costs requests as well.
const (
	filesPerCall   = 100  // as Documents.CreateFiles advises
	filesPerBatch  = 1000 // records without content that an interruption may leave
	filesPerPage   = 10   // new files for each page of the folder that has to be read
	entriesPerPage = 500  // the largest page of a folder
)

// batched is the record of a file that was made together with others.
type batched struct {
	step    *plan.Step
	intent  plan.Key
	address *models.UploadInfo // nil when it was not found
	err     error
}

// batched returns the record that a batch has made for a step; nil when none
// has.
func (m *made) batched(s *plan.Step) *batched {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.batches[s]
}

// inBatches makes the records of new files together where that saves requests,
// and sends their contents. It removes these steps from the plan.
func (x *execution) inBatches(carried map[*plan.Step]*plan.Outcome) {
	listed, fresh := map[string]int{}, map[string][]*plan.Step{}
	for _, t := range x.trees.There {
		listed[t.Parent]++
	}
	for _, s := range x.plan.Transfers {
		in, ok := x.folderOf(s)
		if s.Op == plan.Create && s.Aside == "" && ok && x.Settle >= 0 && filenames.Local(s.Name) == s.Name {
			fresh[in] = append(fresh[in], s)
		}
	}
	together := map[*plan.Step]bool{}
	for in, steps := range fresh {
		pages := 1 + (listed[plan.Folder(in).ID]+len(steps))/entriesPerPage
		if len(steps) < filesPerPage*pages {
			continue
		}
		for part := range slices.Chunk(steps, filesPerBatch) {
			x.announce(in, part)
			each(x.ctx, x.run, part, func(s *plan.Step) { x.carry(s, carried[s]) })
			for _, s := range part {
				together[s] = true
			}
		}
	}
	x.plan.Transfers = slices.DeleteFunc(x.plan.Transfers, func(s *plan.Step) bool { return together[s] })
}

// announce makes the records of new files of one folder, and finds the file of
// each. A file whose call was refused is made alone.
func (x *execution) announce(in string, steps []*plan.Step) {
	unknown := map[plan.Key]models.UploadInfo{}
	var mu sync.Mutex
	each(x.ctx, x.run, slices.Collect(slices.Chunk(steps, filesPerCall)), func(some []*plan.Step) {
		infos, made := x.announceSome(in, some)
		mu.Lock()
		defer mu.Unlock()
		for _, info := range infos {
			unknown[plan.File(info.FileID)] = info
		}
		x.made.mu.Lock()
		defer x.made.mu.Unlock()
		for _, b := range made {
			x.made.batches[b.step] = b
		}
	})
	byName := map[string]*batched{}
	for _, s := range steps {
		if b := x.made.batched(s); b != nil && b.err == nil {
			byName[s.Name] = b
		}
	}
	end := time.Now().Add(x.settleTime())
	for looks := 0; len(unknown) > 0 && len(byName) > 0 && time.Now().Before(end); looks++ {
		if backoff.Sleep(x.grace, backoff.Exponential(firstPause, longestPause, looks)) != nil {
			return
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

// announceSome makes records in one call.
func (x *execution) announceSome(in string, steps []*plan.Step) (infos []models.UploadInfo, made []*batched) {
	files, notes, done := make([]newFile, len(steps)), make([]note, len(steps)), make([]note, len(steps))
	for i, s := range steps {
		files[i] = newFile{ParentID: in, Name: s.Name, Created: x.local.infos[s.Path].ModTime()}
		wait := x.awaiting(awaited{In: in, Name: s.Name, Made: true, Digest: s.Here.Digest, Size: s.Here.Size})
		b := &batched{step: s, intent: intent(false)}
		notes[i], done[i] = note{ID: b.intent.ID, Await: wait}, note{ID: b.intent.ID}
		made = append(made, b)
	}
	err := x.manifest.update(notes...)
	if err == nil {
		err = x.inFolder(in, func() (err error) {
			infos, err = x.service.MakeFiles(x.making(), files)
			return err
		})
	}
	switch {
	case infos != nil || err == nil: // the records exist, even if some could not be read
		return infos, made
	case x.service.Unclear(err):
		for _, b := range made {
			b.err = err
		}
		return nil, made
	}
	_ = x.manifest.update(done...) // a later call would look for them in vain
	return nil, nil
}

// making returns the context of requests that are not abandoned under way.
func (r *run) making() context.Context { return r.grace }
