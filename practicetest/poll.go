package practicetest

import "net/http"

// pollsUntilEffect is the number of equal reads after which pending writes take
// effect on a virtual clock.
const pollsUntilEffect = 3

// polled applies pending writes for a client that polls while a virtual clock
// does not move. Code that waits for its own write would otherwise wait
// forever. The third equal read since the latest write counts as polling. It
// does nothing if WithWriteDelay, WithConsistency or SetConsistency has set a
// delay. The caller must hold the lock.
func (s *Server) polled(r *http.Request, c *call) {
	if !s.clock.inner.Virtual() || s.cfg.chosenDelay || s.state.consistency != s.cfg.consistency || len(s.pending) == 0 || r.Method != http.MethodGet {
		return
	}
	if s.polls == nil || s.pollsOf != s.writes {
		s.polls, s.pollsOf = map[string]int{}, s.writes
	}
	s.polls[r.URL.RequestURI()]++
	if s.polls[r.URL.RequestURI()] >= pollsUntilEffect {
		s.settleAll(c.now)
		s.polls = nil
	}
}
