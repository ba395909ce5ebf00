package transfer

import "sync"

// progress tells a caller how far a transfer is. The number of bytes that it
// tells never falls: an attempt that begins anew is silent until it has
// overtaken the one before.
type progress struct {
	report func(done, total int64) // nil when nobody asks

	mu    sync.Mutex
	done  int64
	total int64 // -1 while it is not known
	told  int64 // -1 before the first report
}

func newProgress(report func(done, total int64), total int64) *progress {
	return &progress{report: report, total: total, told: -1}
}

// add counts bytes that moved.
func (p *progress) add(n int) {
	if p.report == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done += int64(n)
	p.tell()
}

// restart begins to count at done again.
func (p *progress) restart(done, total int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done, p.total = done, total
}

// finish says that everything has moved, if that was not said yet.
func (p *progress) finish(total int64) {
	if p.report == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done, p.total = total, total
	p.tell()
}

func (p *progress) tell() {
	if p.done > p.told {
		p.told = p.done
		p.report(p.done, p.total)
	}
}
