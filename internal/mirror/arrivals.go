package mirror

import (
	"crypto/sha256"
	"encoding/hex"
	"sync"
)

// arrival asks whether a file of the service has the content that was sent.
type arrival struct {
	at   string // of the local file
	id   string
	sent Sending
}

// arrivals are the answers. A question without one is kept until receive
// answers it.
type arrivals struct {
	mu      sync.Mutex
	answers map[arrival]bool
	open    map[arrival]*Remote
}

func (a *arrivals) arrived(at string, r *Remote, sent Sending) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	question := arrival{at, r.ID, sent}
	answer, answered := a.answers[question]
	if !answered {
		if a.open == nil {
			a.open = map[arrival]*Remote{}
		}
		a.open[question] = r
	}
	return answer
}

func (a *arrivals) set(question arrival, answer bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.answers == nil {
		a.answers = map[arrival]bool{}
	}
	a.answers[question] = answer
}

// recognise reads the files of which the plan has to know whether they have the
// content that an earlier call sent, and reports whether that changes the plan.
func (r *run) recognise() (changes bool) {
	var questions []arrival
	open := r.arrivals.open
	for question := range open {
		questions = append(questions, question)
	}
	r.arrivals.open = nil
	each(r, questions, func(asked arrival) {
		arrived, err := r.hasArrived(open[asked], asked.sent)
		if err != nil { // it may be somebody else's
			r.compared.set(question{asked.at, asked.id}, comparedFile{err: err})
		}
		r.arrivals.set(asked, arrived)
	})
	return len(questions) > 0
}

func (r *run) hasArrived(there *Remote, sent Sending) (bool, error) {
	sum := sha256.New()
	if err := r.service.Read(r.ctx, there.ID, there.versionID(), sum); err != nil {
		return false, err
	}
	return hex.EncodeToString(sum.Sum(nil)) == sent.SHA256, nil
}
