package main

import (
	"context"
	"net/url"
	"os"
	"strconv"
	"sync"

	"github.com/practicesdk/practice-go/examples/internal/term"
)

// tally counts the effects of this run's events.
type tally struct {
	mu     sync.Mutex
	counts map[outcome]int
}

func (t *tally) add(did outcome) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.counts == nil {
		t.counts = map[outcome]int{}
	}
	t.counts[did]++
}

func (t *tally) of(did outcome) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.counts[did]
}

// farewell returns a summary of this run, and of what it leaves.
func (a *app) farewell(ctx context.Context) error {
	left, err := a.state.engine.Queue().Len(ctx)
	if err != nil {
		return err
	}
	stats := a.receiver.Stats()
	table := &term.Table{Columns: []term.Column{{Name: "In this run"}, {Name: "Number", Right: true}}}
	for _, row := range []struct {
		name  string
		count uint64
	}{
		{"deliveries acknowledged", stats.Queued},
		{"events that took effect", uint64(a.tally.of(applied))},
		{"events that a newer one had overtaken", uint64(a.tally.of(overtaken))},
		{"other events, noted", uint64(a.tally.of(noted))},
		{"repetitions dropped", stats.Duplicates},
		{"repetitions that the database held off", uint64(a.tally.of(repeated))},
		{"own changes dropped", stats.Own},
		{"attempts that failed", stats.Failed},
		{"dead letters", stats.DeadLetters},
	} {
		table.Add(row.name, strconv.FormatUint(row.count, 10))
	}
	a.screen.show(func(p *term.Printer) {
		p.Blank()
		p.Table(table)
		p.Blank()
		if left > 0 {
			p.Line("%s in the queue. The same command goes on.", were(left, "delivery is", "deliveries are"))
		} else {
			p.Good("Everything that was acknowledged is handled.")
		}
	})
	return nil
}

func were(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

func pid() int { return os.Getpid() }

// host returns an address without a password.
func host(address string) string {
	u, err := url.Parse(address)
	if err != nil || address == "" {
		return ""
	}
	return "at " + u.Host
}
