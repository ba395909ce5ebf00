package mirror

import (
	"errors"
	"sync"
)

// question is a local file and one of the service that has its size.
type question struct {
	at, id string
}

type comparedFile struct {
	differs bool
	err     error // they could not be compared
}

// comparisons are the answers. A file may be large, and its content far away:
// nobody is asked twice.
type comparisons struct {
	mu      sync.Mutex
	answers map[question]comparedFile
}

func (c *comparisons) get(q question) (comparedFile, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	answer, asked := c.answers[q]
	return answer, asked
}

func (c *comparisons) set(q question, answer comparedFile) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.answers == nil {
		c.answers = map[question]comparedFile{}
	}
	c.answers[q] = answer
}

// err is why a file could not be compared with the one of the service that it
// seems to be.
func (c *comparisons) err(at, id string) error {
	answer, _ := c.get(question{at, id})
	if id == "" {
		return nil
	}
	return answer.err
}

// differs tells of two files of one size whether they differ. Where contents
// are compared, it takes them for the same until compare has looked.
func (u *upload) differs(at string, r *Remote) bool {
	q := question{at, r.ID}
	answer, asked := u.compared.get(q)
	if !asked && u.options.Changed != nil {
		answer.differs = u.options.Changed(at, u.infos[at], r.File)
		u.compared.set(q, answer)
	}
	return answer.differs
}

// compare reads the files that the plan takes for unchanged, and reports
// whether that changes the plan.
func (u *upload) compare(plan *PushPlan) (changes bool) {
	if !u.ByContent || u.options.Changed != nil {
		return false
	}
	var unread []*PushFile
	for i := range plan.Files {
		f := &plan.Files[i]
		if _, asked := u.compared.get(question{f.Path, f.ID}); !asked && f.Verdict == Kept && f.ID != "" && f.Size == u.infos[f.Path].Size() {
			unread = append(unread, f)
		}
	}
	var mu sync.Mutex
	each(u.run, unread, func(f *PushFile) {
		answer := u.compareFile(f)
		u.compared.set(question{f.Path, f.ID}, answer)
		mu.Lock()
		defer mu.Unlock()
		changes = changes || answer.differs
	})
	return changes
}

func (u *upload) compareFile(f *PushFile) (answer comparedFile) {
	body, err := u.fsys.Open(f.Path)
	if err != nil {
		return comparedFile{err: err}
	}
	defer func() { _ = body.Close() }() // it was only read
	err = u.service.Read(u.ctx, f.ID, f.File.VersionID, &comparison{with: body})
	if errors.Is(err, errDifferent) {
		return comparedFile{differs: true}
	}
	return comparedFile{err: err}
}

// foresee finds out what would become of a file, and changes nothing.
func (u *upload) foresee(file *localFile) (Action, error) {
	if file.Verdict != Conflict {
		return file.action, nil
	}
	if file.Size == file.info.Size() {
		if answer := u.compareFile(&file.PushFile); answer.err != nil || !answer.differs {
			return Kept, answer.err
		}
	}
	if u.Conflict(file.Path, file.File) == KeepsLocal {
		return Updated, nil
	}
	return Conflict, nil
}
