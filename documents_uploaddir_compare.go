package practice

import (
	"errors"
	"sync"

	"github.com/practicesdk/practice-go/internal/mirror"
)

// question is a local file and one of the service that has its size.
type question struct {
	at  string
	ref int
}

type comparedFile struct {
	differs bool
	err     error // they could not be compared
}

// comparisons are the answers. A file may be large, and its content far away: nobody is
// asked twice.
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

// err is why a file could not be compared with the one of the service that it seems to be.
func (c *comparisons) err(f *mirror.PushFile) error {
	answer, _ := c.get(question{f.Path, f.Ref})
	if f.ID == "" {
		return nil
	}
	return answer.err
}

// differs tells of two files of one size whether they differ. Where contents are compared, it
// takes them for the same until compare has looked.
func (u *dirUpload) differs(at string, ref int) bool {
	q := question{at, ref}
	answer, asked := u.compared.get(q)
	if !asked && u.options.Changed != nil {
		answer.differs = u.options.Changed(at, u.infos[at], u.records[ref])
		u.compared.set(q, answer)
	}
	return answer.differs
}

// compare reads the files that the plan takes for unchanged, and reports whether that
// changes the plan.
func (u *dirUpload) compare(plan *mirror.PushPlan) (changes bool) {
	if !u.options.ByContent || u.options.Changed != nil {
		return false
	}
	var unread []question
	for i := range plan.Files {
		f := &plan.Files[i]
		q := question{f.Path, f.Ref}
		if _, asked := u.compared.get(q); !asked && f.Verdict == mirror.Keep && f.ID != "" && f.Size == u.infos[f.Path].Size() {
			unread = append(unread, q)
		}
	}
	var mu sync.Mutex
	each(u.dirRun, unread, func(q question) {
		answer := u.compareFile(q)
		u.compared.set(q, answer)
		mu.Lock()
		defer mu.Unlock()
		changes = changes || answer.differs
	})
	return changes
}

func (u *dirUpload) compareFile(q question) (answer comparedFile) {
	body, err := u.fsys.Open(q.at)
	if err != nil {
		return comparedFile{err: err}
	}
	defer func() { _ = body.Close() }() // it was only read
	record := u.records[q.ref]
	_, err = u.documents.Download(u.ctx, u.matterID, record.ID, &comparison{with: body}, DownloadOptions{VersionID: record.VersionID}, u.opts...)
	if errors.Is(err, errDifferent) {
		return comparedFile{differs: true}
	}
	return comparedFile{err: err}
}

// foresee finds out what would become of a file, and changes nothing.
func (u *dirUpload) foresee(file *localFile) (DirAction, error) {
	if file.Verdict != mirror.Conflict {
		return file.action, nil
	}
	if file.Size == file.info.Size() {
		if answer := u.compareFile(question{file.Path, file.Ref}); answer.err != nil || !answer.differs {
			return DirKept, answer.err
		}
	}
	if u.options.Conflict.choose(file.Path, u.records[file.Ref]) == KeepsLocal {
		return DirUpdated, nil
	}
	return DirConflict, nil
}
