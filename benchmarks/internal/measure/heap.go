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
	peak, err := highest(heapObjects, work)
	return max(peak, before) - before, err
}

// PeakMemory runs work and returns the maximum memory of the runtime, as
// GOMEMLIMIT counts it, sampled every millisecond.
func PeakMemory(work func() error) (uint64, error) { return highest(runtimeMemory, work) }

func highest(look func() uint64, work func() error) (peak uint64, err error) {
	peak = look()
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
				peak = max(peak, look())
			}
		}
	}()
	err = work()
	close(stop)
	<-stopped
	return max(peak, look()), err // work may end before the first sample
}

func heapObjects() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

func runtimeMemory() uint64 {
	samples := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(samples)
	return samples[0].Value.Uint64() - samples[1].Value.Uint64()
}
