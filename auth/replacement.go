package auth

import (
	"time"

	"github.com/practicesdk/practice-go/internal/backoff"
	"github.com/practicesdk/practice-go/models"
)

// trialLimit is longer than an attempt takes. A token that is refused later may
// have ended.
const trialLimit = time.Minute

// replacement is the latest token that was requested because the service had
// refused the one before. If that one is refused at once too, for example
// because the API key is wrong, it counts as a failed renewal, whichever call
// learns it. Without a pause, each call would request a token and spend a
// refresh token.
type replacement struct {
	token    models.Secret // zero if its trial has ended
	trial    time.Time     // end of the trial
	failures int           // consecutive refused replacements
	until    time.Time     // no other token is requested in place of a refused one before
}

// obtained records a new token, which is on trial if it replaces a refused one.
func (r *replacement) obtained(token models.Secret, replaces bool, now time.Time) {
	r.token, r.trial = models.Secret{}, now.Add(trialLimit)
	if replaces {
		r.token = token
	}
}

// tried ends the trial of a token.
func (r *replacement) tried(token string, accepted bool, now time.Time) {
	switch {
	case token == "" || r.token.Reveal() != token:
		return // it is not on trial
	case accepted:
		*r = replacement{}
	case now.Before(r.trial):
		r.until = now.Add(backoff.Exponential(firstRenewalPause, maxRenewalPause, r.failures))
		r.failures++
	}
	r.token = models.Secret{}
}

// paused reports whether no other token must be requested.
func (r *replacement) paused(now time.Time) bool { return now.Before(r.until) }
