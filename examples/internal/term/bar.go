package term

import (
	"io"
	"strings"
	"time"

	"github.com/schollz/progressbar/v3"
)

// Bar shows the progress of a transfer. Elsewhere than on a terminal only its
// final state is printed.
type Bar struct {
	printer *Printer
	name    string
	bar     *progressbar.ProgressBar
}

// Bar returns a progress bar for total bytes. On a terminal it shows the time
// left.
func (p *Printer) Bar(name string, total int64) *Bar {
	out := io.Discard
	if p.live {
		out = &screen{out: p.out, width: p.width}
	}
	return &Bar{p, name, progressbar.NewOptions64(total,
		progressbar.OptionSetWriter(out),
		progressbar.OptionSetDescription(indent+Clean(name)),
		progressbar.OptionSetWidth(30),
		progressbar.OptionShowBytes(true),
		progressbar.OptionUseIECUnits(true),
		progressbar.OptionThrottle(50*time.Millisecond),
		progressbar.OptionSetPredictTime(p.live),
	)}
}

// Set moves the bar to a number of bytes.
func (b *Bar) Set(done, _ int64) {
	if err := b.bar.Set64(done); err != nil && b.printer.err == nil {
		b.printer.err = err
	}
}

// Files sets the number of completed files.
func (b *Bar) Files(done int) { b.bar.Describe(indent + Clean(b.name) + " " + Count(done, "file")) }

// Write moves the bar by the bytes of a part.
func (b *Bar) Write(part []byte) (int, error) { return b.bar.Write(part) }

// End completes the line of the bar.
func (b *Bar) End() {
	if b.printer.live {
		b.printer.write("\n")
		return
	}
	if shown := strings.TrimSpace(b.bar.String()); shown != "" {
		b.printer.Line("%s", shown)
	}
}
