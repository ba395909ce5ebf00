package practicetest

import "net/http"

// pollsUntilEffect is the number of equal reads on a standing clock before
// writes take effect.
const pollsUntilEffect = 3

// polled performs accepted writes for a caller that polls on a virtual clock,
// which does not move meanwhile: code that waits for its own write would wait
// for ever. The third equal read since the latest write counts as polling. A
// delay that was set with WithWriteDelay, WithConsistency or SetConsistency
// passes by the clock alone. It is called with the lock held.
func (s *Server) polled(r *http.Request, c *call) {
	if !s.clock.virtual || s.cfg.chosenDelay || s.state.consistency != s.cfg.consistency || len(s.pending) == 0 || r.Method != http.MethodGet {
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
