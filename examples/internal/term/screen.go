package term

import (
	"io"
	"strings"

	"github.com/jedib0t/go-pretty/v6/text"
)

// screen writes a line that is written over later. It cuts the line to the
// current width of the terminal, since a wrapped line could not be written
// over. If the terminal became narrower, it starts a new line.
type screen struct {
	out   io.Writer
	width func() int
	last  int
}

// Write writes a line that starts with a carriage return.
func (s *screen) Write(drawn []byte) (int, error) {
	width := s.width()
	var out strings.Builder
	if width < s.last {
		out.WriteByte('\n')
	}
	s.last = width
	for i, line := range strings.Split(string(drawn), "\r") {
		if i > 0 {
			out.WriteByte('\r')
		}
		out.WriteString(text.Trim(line, max(0, width-1)))
	}
	if _, err := io.WriteString(s.out, out.String()); err != nil {
		return 0, err
	}
	return len(drawn), nil
}
