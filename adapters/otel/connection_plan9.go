package otel

// refused and reset return nil: Plan 9 has no error numbers for connections.
func refused() []error { return nil }

func reset() []error { return nil }
