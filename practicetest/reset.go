package practicetest

// Reset makes the service what it was when it began: the seeded firm with its
// identifiers and credentials, seeded again at the present time of the clock.
// It forgets writes, pending writes and deliveries, recorded requests, injected
// faults and doomed writes. The clock, the options and the handlers of
// [Server.Mount] stay.
//
// Tests that begin with the same firm can so share a server. Nothing else may use
// the server while Reset runs.
func (s *Server) Reset() {
	s.faults.clear()
	s.ResetRequests()
	s.strict.forget()
	s.courier.forget()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.store.forget()
	s.state, s.grants = newState(newIDSource(s.cfg.seed, 0)), newGrantStore(newIDSource(s.cfg.seed, 1))
	s.uploads, s.pending, s.failures = map[string]upload{}, nil, map[string][]string{}
	s.seed()
	if s.outside != nil {
		s.store.forget() // the store outside still holds what was seeded
	}
}

// forget drops every object.
func (s *objectStore) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.objects, s.puts = make(map[string]object), 0
}

// forget drops what was found so far.
func (s *strictness) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.found = nil
}

// forget gives up what is on its way, and drops what was recorded.
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
