package mirror

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strings"
	"sync"

	"github.com/practicesdk/practice-go/internal/filenames"
	"github.com/practicesdk/practice-go/mirror/internal/plan"
)

// decide repeats planning until no question is open. In between it reads
// contents and calls the callbacks for choices.
func (r *run) decide() *plan.Plan {
	options := plan.Options{
		Push: r.push, Delete: r.Delete, Overwrite: r.Overwrite, BySize: r.push && r.manifest.root == nil && !r.ByContent,
		Choices: map[plan.Key]plan.Choice{}, Folders: map[string]string{},
	}
	r.verify()
	for r.ctx.Err() == nil {
		p := plan.Make(r.trees, options)
		switch {
		case len(p.Questions) > 0:
			r.answer(p.Questions)
		case len(p.Conflicts) > 0:
			for _, c := range p.Conflicts {
				options.Choices[c.Key] = r.choose(c)
			}
		case !r.chooseFolders(p, options.Folders):
			return p
		}
	}
	return nil
}

func (r *run) choose(c *plan.Outcome) Choice {
	if r.Conflict != nil {
		if choice := r.Conflict(c.Path, r.records[c.Key].File); choice == KeepLocal || choice == KeepRemote {
			return choice
		}
	}
	return KeepBoth
}

// chooseFolders calls Ambiguous for local folders whose name several remote
// folders have. It reports whether it called it.
func (r *run) chooseFolders(p *plan.Plan, folders map[string]string) (chosen bool) {
	for _, o := range p.Outcomes {
		if _, asked := folders[o.Path]; len(o.IDs) == 0 || !o.Key.Dir || r.Ambiguous == nil || asked {
			continue
		}
		folders[o.Path] = strings.ToLower(r.Ambiguous(o.Path, r.idsOf(o)))
		chosen = true
	}
	return chosen
}

// idsOf returns the ids to choose from, in the service's spelling.
func (r *run) idsOf(o *plan.Outcome) (ids []string) {
	for _, id := range o.IDs {
		ids = append(ids, r.idOf(plan.Key{Dir: o.Key.Dir, ID: id}))
	}
	return ids
}

// answer reads the remote contents in question and records their digests.
func (r *run) answer(questions []plan.Key) {
	var mu sync.Mutex
	each(r.ctx, r, questions, func(key plan.Key) {
		digest, err := r.digest(key)
		mu.Lock()
		defer mu.Unlock()
		if err != nil {
			r.trees.ThereUnknown[key] = true
			r.fail(Result{Path: filenames.Local(r.records[key].Name), ID: r.idOf(key), Err: err})
			return
		}
		r.records[key].Digest = digest
	})
}

func (r *run) digest(key plan.Key) (string, error) {
	rec := r.records[key]
	if rec.File == nil {
		return "", errors.New("mirror: the service no longer lists the file")
	}
	hash := sha256.New()
	err := r.service.Read(r.ctx, rec.ID, rec.File.VersionID, hash)
	return hex.EncodeToString(hash.Sum(nil)), err
}

// verify compares the contents that seem unchanged and corrects the base: a
// local file that differs then counts as changed.
func (r *run) verify() {
	if !r.ByContent {
		return
	}
	var known []plan.Key
	for _, t := range r.trees.There {
		if e, ok := r.trees.Base[t.Key]; ok && t.Stored && !t.Key.Dir && e.Version == t.Version {
			known = append(known, t.Key)
		}
	}
	r.answer(known)
	for _, t := range r.trees.There {
		if e := r.trees.Base[t.Key]; t.Digest != "" && e.Version == t.Version {
			e.Digest = t.Digest
			r.trees.Base[t.Key] = e
		}
	}
}
