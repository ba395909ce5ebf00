package term

import (
	"io"
	"strings"

	"github.com/jedib0t/go-pretty/v6/text"
)

// screen takes a line that is written over. It cuts it to the width that the terminal
// has at that moment: a line that goes on below could not be written over. When the
// terminal became narrower, it begins a new line and leaves the old one as it is.
type screen struct {
	out   io.Writer
	width func() int
	last  int
}

// Write writes lines that begin with a carriage return.
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
