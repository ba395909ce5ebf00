package practice

import "sync"

// dirProgress adds up how far all files of a folder are.
type dirProgress struct {
	report func(done, total int64) // nil when nobody asks

	mu          sync.Mutex
	done, total int64
}

// begin tells the sum before the first byte.
func (p *dirProgress) begin(total int64) {
	p.total = total
	if p.report != nil {
		p.report(0, total)
	}
}

// of is what the transfer of one file reports to. The size is the one that
// was counted in the total; the transfer may know better.
func (p *dirProgress) of(size int64) func(done, total int64) {
	if p.report == nil {
		return nil
	}
	var before int64
	return func(done, total int64) {
		p.mu.Lock()
		defer p.mu.Unlock()
		if total >= 0 {
			p.total += total - size
			size = total
		}
		p.done += done - before
		before = done
		p.report(p.done, max(p.total, p.done))
	}
}
