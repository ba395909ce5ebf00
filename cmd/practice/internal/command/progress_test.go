package command

import (
	"bytes"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestProgressHasBytesRateAndTimeLeft(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		from, done, total int64
		took              time.Duration
		want              string
	}{
		{0, 0, 5_000_000, time.Second, "0 B of 5.0 MB"},
		{0, 1_000_000, 5_000_000, time.Second, "1.0 MB of 5.0 MB, 1.0 MB/s, 4s left"},
		{3_000_000, 4_000_000, 5_000_000, time.Second, "4.0 MB of 5.0 MB, 1.0 MB/s, 1s left"}, // the rest of an interrupted one
		{0, 1_500, -1, 2 * time.Second, "1.5 kB, 750 B/s"},
		{0, 999_950, 2_000_000_000_000, time.Second, "1.0 MB of 2.0 TB, 1.0 MB/s, 555h34m59s left"},
		{0, 0, 0, 0, "0 B of 0 B"},
	} {
		assert.Equal(t, test.want, progressText(test.from, test.done, test.total, test.took))
	}
}

// A note does not mix with the progress, which leaves no trace.
func TestProgressIsOneLineOfATerminal(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var screen bytes.Buffer
		a := &app{Streams: Streams{Err: &screen}, env: func(string) string { return "" }}
		p := a.progress()
		p.tell(0, 4000)
		<-time.After(time.Second)
		p.tell(1000, 4000)
		assert.Empty(t, screen.String(), "stderr is no terminal")
		p.atTerminal = true
		<-time.After(time.Second)
		p.tell(2000, 4000)
		p.tell(2001, 4000)
		a.note("A note.")
		p.end()
		const line = "2.0 kB of 4.0 kB, 1.0 kB/s, 2s left"
		assert.Equal(t, "\r"+line+"\r"+string(bytes.Repeat([]byte(" "), len(line)))+"\rA note.\n", screen.String())
	})
}
