package practicetest

// Seed is the input from which a service generates its firm.
type Seed struct {
	// Number chooses the firm; see [WithSeed].
	Number uint64 `json:"number"`
	// Events is the number of calendar events, from 0; see [WithEvents].
	Events int `json:"events"`
	// Matters is the number of matters, from 1; see [WithMatters].
	Matters int `json:"matters"`
	// Promotions is the number of promotions, from 1; see [WithPromotions].
	Promotions int `json:"promotions"`
}

// from returns the seed of the options.
func (c *config) from() Seed { return Seed{c.seed, c.events, c.matters, c.promotions} }

// Seed returns the seed the firm's data was generated from.
func (s *Server) Seed() Seed {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.state.from
}

// Reset makes the service what it was when it began: the seeded firm with its
// identifiers and credentials, seeded again at the present time of the clock.
// It forgets writes, pending writes and deliveries, recorded requests, injected
// faults, stubs and doomed writes. The clock (see [Clock.Rewind]), the options,
// the violations, which [Server.ExcuseViolations] alone excuses, and the
// handlers of [Server.Mount] stay.
//
// Tests that begin with the same firm can so share a server. The firm before or
// the one after answers requests that are on their way while Reset runs, and
// what they recorded may be kept.
func (s *Server) Reset() { s.Reseed(s.Seed()) }

// Reseed does what [Server.Reset] does, with another firm. The client keeps its
// credentials: the tokens that the service began with are those of the new
// firm. A number out of its range is a mistake; see [Server.Inject].
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
	s.state, s.grants = newState(seed, s.cfg.consistency, s.catalog), newGrantStore(newIDSource(s.secrets, 1))
	s.uploads, s.arrived, s.pending, s.failures = map[string]upload{}, map[string][]fileVersion{}, nil, map[string][]failure{}
	s.stubs = nil
	if s.rates != nil { // there is none while a kept state is done again
		s.rates = newRateLimit(s.cfg.ratePerSecond, s.cfg.rateBurst)
	}
	s.seed()
	if s.outside != nil {
		s.store.Forget() // the store outside still holds what was seeded
	}
}

// forget drops deliveries under way and all records of earlier ones.
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

// forgot reports that a parcel belongs to a lane that was dropped.
func (c *courier) forgot(l *lane, p parcel) bool { return c.lanes[p.to.id] != l }
