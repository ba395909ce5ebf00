package otel

// refused and reset: Plan 9 has no numbers for what went wrong with a
// connection.
func refused() []error { return nil }

func reset() []error { return nil }
