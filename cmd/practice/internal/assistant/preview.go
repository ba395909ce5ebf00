package assistant

import (
	"crypto/rand"
	"errors"
	"sync"
	"time"

	practice "github.com/practicesdk/practice-go"
)

// Limits of previews.
const (
	previewLifetime = 10 * time.Minute
	maxPreviews     = 100
)

// errNoPreview reports a handle of no preview. Nothing says whether the handle
// was used, is too old, or is that of another process.
var errNoPreview = errors.New("the preview handle is unknown or has expired: a preview is valid once, for ten minutes, in the process that created it; call preview_write again")

// preview is a write that a person can see before it is sent.
type preview struct {
	handle, nonce string // nonce: echoed with the answer to the question
	operation     practice.Operation
	arguments     map[string]any
	body          []byte
	request       exact // as it is going to be sent
	firm, version string
	text          string // for the person
	until         time.Time
}

// previews holds the open previews of the process.
type previews struct {
	now  func() time.Time
	mu   sync.Mutex
	open map[string]*preview
}

// add opens a preview and sets its handle.
func (p *previews) add(v *preview) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	for handle, other := range p.open {
		if !p.now().Before(other.until) {
			delete(p.open, handle)
		}
	}
	if len(p.open) >= maxPreviews {
		return errors.New("too many previews are open: wait up to ten minutes for one to expire")
	}
	if p.open == nil {
		p.open = map[string]*preview{}
	}
	v.handle, v.nonce, v.until = rand.Text(), rand.Text(), p.now().Add(previewLifetime)
	p.open[v.handle] = v
	return nil
}

// look returns an open preview.
func (p *previews) look(handle string) (*preview, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	v := p.open[handle]
	if v == nil || !p.now().Before(v.until) {
		return nil, errNoPreview
	}
	return v, nil
}

// take ends a preview, and returns an error if it had ended already.
func (p *previews) take(v *preview) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.open[v.handle] != v || !p.now().Before(v.until) {
		return errNoPreview
	}
	delete(p.open, v.handle)
	return nil
}
