// Package dirs shows how a folder is uploaded or backed up: a bar on the way,
// then what became of the files, and how to go on when it ended early.
package dirs

import (
	"errors"
	"slices"
	"strings"
	"sync"

	"github.com/practicesdk/practice-go/examples/internal/term"
	"github.com/practicesdk/practice-go/mirror"
)

// Show is one upload or backup as it is shown.
type Show struct {
	p       *term.Printer
	name    string
	mu      sync.Mutex // Progress and Result may be called at the same time
	bar     *term.Bar
	done    int // files that are in place
	results map[mirror.Action][]mirror.Result
}

// New begins to show an upload or a backup. The name stands before the bar.
func New(p *term.Printer, name string) *Show {
	return &Show{p: p, name: name, results: map[mirror.Action][]mirror.Result{}}
}

// Progress is for the field of that name of the options.
func (s *Show) Progress(done, total int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.bar == nil && total > 0 {
		s.bar = s.p.Bar(s.name, total)
	}
	if s.bar != nil {
		s.bar.Set(done, total)
	}
}

// Result is for the field of that name of the options.
func (s *Show) Result(result mirror.Result) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch result.Action {
	case mirror.Failed, mirror.Gone, mirror.Removed, mirror.Ignored:
	default:
		if !result.IsDir {
			s.done++
		}
	}
	if s.bar != nil {
		s.bar.Files(s.done)
	}
	s.results[result.Action] = append(s.results[result.Action], result)
}

var reasons = map[mirror.Action]string{
	mirror.Conflict: " changed on both sides, a copy of the local change is kept",
	mirror.Gone:     ", they stay",
	mirror.Ignored:  ", there is no content to transfer",
	mirror.Kept:     ", they were there already",
	mirror.Waiting:  " for the other direction",
}

// End prints what became of the files.
func (s *Show) End() {
	if s.bar != nil {
		s.bar.End()
		s.p.Blank()
	}
	for _, action := range []mirror.Action{
		mirror.Created, mirror.Updated, mirror.Resumed, mirror.Moved, mirror.Conflict, mirror.Waiting,
		mirror.Gone, mirror.Removed, mirror.Ignored, mirror.Kept,
	} {
		if results := s.results[action]; len(results) > 0 {
			s.p.Line("%s %s%s", term.Count(len(results), "file"), action, reasons[action])
			if action != mirror.Kept {
				s.list(results)
			}
		}
	}
	failed := s.results[mirror.Failed]
	if len(failed) > 0 {
		s.p.Bad("%d failed", len(failed))
		s.list(failed)
	}
	if len(s.results) == 0 {
		s.p.Line("There are no files.")
	}
}

// list names the first ones.
func (s *Show) list(results []mirror.Result) {
	const shown = 5
	slices.SortFunc(results, func(a, b mirror.Result) int { return strings.Compare(a.Path, b.Path) })
	for _, result := range results[:min(shown, len(results))] {
		if result.Err != nil {
			s.p.Bad("  %s: %v", result.Path, result.Err)
			continue
		}
		s.p.Note("  %s", result.Path)
	}
	if more := len(results) - shown; more > 0 {
		s.p.Note("  and %d more", more)
	}
}

// GoOn says how to do the rest after an error, and whether there is any.
func GoOn(p *term.Printer, err error, command string, embedded bool) {
	summary, ok := errors.AsType[*mirror.Error](err)
	if !ok {
		return
	}
	p.Blank()
	p.Line("%s done, %d failed, %d left. What is done stays; this does the rest:", term.Count(summary.Done, "file"), len(summary.Failed), summary.Left)
	p.Command(command)
	if embedded {
		p.Note("The embedded service ends with this program. One that stays is started by")
		p.Note("go run ./cmd/practice-sandbox, which prints the variables that lead to it.")
	}
}

// Quote puts a word of a command line into quotes where a shell needs them.
func Quote(word string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./", r)
	}
	if word != "" && !strings.ContainsFunc(word, func(r rune) bool { return !plain(r) }) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
