package webhook

import (
	"math"
	"time"
)

// MemoryOption is a setting of the stores in memory: [NewMemoryDeduplicator], [NewMemorySequencer] and
// [NewMemoryTrackerStore].
type MemoryOption interface{ applyMemory(*memorySettings) error }

// Defaults of the stores in memory.
const (
	DefaultCapacity  = 1 << 17        // entries; one takes up to 200 bytes
	DefaultRetention = 24 * time.Hour // how long an entry is kept
)

type memorySettings struct {
	capacity  int
	retention time.Duration
	now       func() time.Time
}

type memoryOption func(*memorySettings) error

func (f memoryOption) applyMemory(s *memorySettings) error { return f(s) }

// WithCapacity sets how many entries a store in memory holds; when it is full it forgets what it was told longest
// ago. It must be above 0 and below 2147483647; the default is [DefaultCapacity].
func WithCapacity(entries int) MemoryOption {
	return memoryOption(func(s *memorySettings) error {
		if entries <= 0 || entries >= math.MaxInt32 {
			return &ConfigError{"WithCapacity", "must be above 0 and below 2147483647"}
		}
		s.capacity = entries
		return nil
	})
}

// WithRetention sets how long a store in memory keeps an entry. It must be above 0; the default is
// [DefaultRetention]. How late the service may repeat an event is not specified. Specification, Delivery rules.
func WithRetention(retention time.Duration) MemoryOption {
	return memoryOption(func(s *memorySettings) error {
		if retention <= 0 {
			return &ConfigError{"WithRetention", "must be above 0"}
		}
		s.retention = retention
		return nil
	})
}

func memorySettingsOf(options []MemoryOption) (memorySettings, error) {
	s := memorySettings{capacity: DefaultCapacity, retention: DefaultRetention, now: time.Now}
	for _, option := range options {
		if err := option.applyMemory(&s); err != nil {
			return s, err
		}
	}
	return s, nil
}
