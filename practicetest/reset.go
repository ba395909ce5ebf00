package practicetest

// Seed holds the parameters from which a firm is generated.
type Seed struct {
	// Number is the seed of the random numbers; see [WithSeed].
	Number uint64 `json:"number"`
	// Events is the number of calendar events, at least 0; see [WithEvents].
	Events int `json:"events"`
	// Matters is the number of matters, at least 1; see [WithMatters].
	Matters int `json:"matters"`
	// Promotions is the number of promotions, at least 1; see [WithPromotions].
	Promotions int `json:"promotions"`
}

// from returns the seed that the options set.
func (c *config) from() Seed { return Seed{c.seed, c.events, c.matters, c.promotions} }

// Seed returns the seed from which the current firm was generated.
func (s *Server) Seed() Seed {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.state.from
}

// Reset restores the initial state: the seeded firm with its ids and
// credentials, seeded again at the current time of the clock. It discards
// writes, pending writes and deliveries, recorded requests, injected faults,
// stubs, and calls of [Server.FailWrite] that have not affected a write yet. It
// keeps the time of the clock (see [Clock.Rewind]), the options, the violations
// (see [Server.ExcuseViolations]) and the handlers of [Server.Mount].
//
// Tests can share a server by starting from the same firm. A request that is
// served while Reset runs may see the old or the new state, and its record may
// be kept.
func (s *Server) Reset() { s.Reseed(s.Seed()) }

// Reseed does what [Server.Reset] does, but generates the firm from another
// seed. The credentials stay the same: the initial tokens are then valid for
// the new firm. A number that is out of range is a mistake in the test; see
// [Server.Inject].
func (s *Server) Reseed(seed Seed) {
	if err := seed.check(); err != nil {
		s.misuse("practicetest: Reseed: %v", err)
		return
	}
	s.faults.clear()
	s.ResetRequests()
	s.courier.forget()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.store.Forget()
	s.grants = newGrantStore(newIDSource(s.secrets, 1))
	s.uploads, s.arrived, s.pending, s.failures = map[string]upload{}, map[string][]fileVersion{}, nil, map[string][]failure{}
	s.stubs = nil
	if s.rates != nil { // nil while a state file is replayed
		s.rates = newRateLimit(s.cfg.ratePerSecond, s.cfg.rateBurst)
	}
	s.seed(seed)
	if s.outside != nil {
		s.store.Forget() // an external store still holds the seeded content
	}
}

// forget cancels the pending deliveries and discards the records of earlier
// ones.
func (c *courier) forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, l := range c.lanes {
		l.cancelRelease()
		l.queue, l.held = nil, nil
	}
	c.lanes, c.log = make(map[string]*lane), nil
	c.count(-c.open)
}

// forgot reports whether forget has discarded the queue of the delivery.
func (c *courier) forgot(l *lane, p parcel) bool { return c.lanes[p.to.id] != l }
