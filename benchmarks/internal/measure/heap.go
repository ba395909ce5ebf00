package measure

import (
	"runtime"
	"runtime/metrics"
	"time"
)

// LiveHeap is what is in use after a collection, in bytes.
func LiveHeap() uint64 {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}

// PeakHeap runs work and gives by how much the heap rose meanwhile, garbage
// included, looked at every millisecond.
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
	peak = max(peak, heapObjects()) // work may have been too quick for a look
	return peak - before, err
}

func heapObjects() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
