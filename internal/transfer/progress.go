package transfer

import "sync"

// progress reports the progress of a transfer to the caller. The reported
// number of bytes never falls: after a retry it reports nothing until the new
// attempt has overtaken the previous one.
type progress struct {
	report func(done, total int64) // nil if the caller wants no reports

	mu    sync.Mutex
	done  int64
	total int64 // -1 while unknown
	told  int64 // number of bytes last reported; -1 before the first report
	of    int64 // total last reported
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
	if p.done += int64(n); p.done > p.told {
		p.say()
	}
}

// restart sets the count back to done.
func (p *progress) restart(done, total int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done, p.total = done, total
}

// finish reports the total, unless it was reported already. It never reports
// less than before, even if shorter content has replaced the first one.
func (p *progress) finish(total int64) {
	if p.report == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done = max(total, p.told)
	p.total = p.done
	if p.done > p.told || p.total != p.of {
		p.say()
	}
}

func (p *progress) say() {
	p.told, p.of = p.done, p.total
	p.report(p.done, p.total)
}
