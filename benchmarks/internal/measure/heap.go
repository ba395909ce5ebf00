package measure

import (
	"runtime"
	"runtime/metrics"
	"time"
)

// LiveHeap returns the bytes in use after a garbage collection.
func LiveHeap() uint64 {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}

// PeakHeap runs work and returns the maximum growth of the heap, garbage
// included, sampled every millisecond.
func PeakHeap(work func() error) (uint64, error) {
	before := LiveHeap()
	peak := before
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		tick := time.NewTicker(time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-stop:
				return
			case <-tick.C:
				peak = max(peak, heapObjects())
			}
		}
	}()
	err := work()
	close(stop)
	<-stopped
	return max(peak, heapObjects()) - before, err // work may end before the first sample
}

func heapObjects() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
