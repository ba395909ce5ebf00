package main

import (
	"io"
	"sync"
	"time"

	"github.com/practicesdk/practice-go/examples/internal/term"
)

// screen is a printer for many goroutines.
type screen struct {
	mu sync.Mutex
	p  *term.Printer
}

func newScreen(out io.Writer, env func(string) string) *screen {
	return &screen{p: term.New(out, env)}
}

// show prints what belongs together.
func (s *screen) show(lines func(*term.Printer)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	lines(s.p)
}

func (s *screen) err() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.p.Err()
}

func (s *screen) good(format string, args ...any) {
	s.show(func(p *term.Printer) { p.Good(format, args...) })
}
func (s *screen) bad(format string, args ...any) {
	s.show(func(p *term.Printer) { p.Bad(format, args...) })
}

// event prints the one line of an event.
func (s *screen) event(kind, what, remark string, faint bool) {
	s.show(func(p *term.Printer) {
		line := p.Line
		if faint {
			line = p.Note
		}
		line("%s  %-16s %-20s %s", time.Now().Format("15:04:05.000"), kind, what, remark)
	})
}
