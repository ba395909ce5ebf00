package mirror

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"sync"
)

// arrival asks whether a file of the service has the content that was sent.
type arrival struct {
	at   string // of the local file
	id   string
	sent Sending
}

// arrivals are the answers. A question without one is kept until receive answers it.
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

// receive reads the files of which the plan has to know whether they have the content that an
// earlier call sent, and reports whether that changes the plan.
func (u *upload) receive() (changes bool) {
	var questions []arrival
	open := u.arrivals.open
	for question := range open {
		questions = append(questions, question)
	}
	u.arrivals.open = nil
	each(u.run, questions, func(asked arrival) {
		arrived, err := u.hasArrived(open[asked], asked.sent)
		if err != nil { // it may be somebody else's
			u.compared.set(question{asked.at, asked.id}, comparedFile{err: err})
		}
		u.arrivals.set(asked, arrived)
	})
	return len(questions) > 0
}

func (u *upload) hasArrived(r *Remote, sent Sending) (bool, error) {
	sum := sha256.New()
	if err := u.service.Read(u.ctx, r.ID, r.File.VersionID, sum); err != nil {
		return false, err
	}
	return hex.EncodeToString(sum.Sum(nil)) == sent.SHA256, nil
}

// fingerprint reads a content before it is sent: a process that ends meanwhile cannot tell the
// version that the service has then from one of somebody else, and the local file may have
// changed when the next one looks.
func (u *upload) fingerprint(file *localFile, body io.ReadSeeker) error {
	if u.manifest == nil {
		return nil
	}
	sum := sha256.New()
	size, err := io.Copy(sum, &bounded{u.ctx, body})
	if err != nil {
		return err
	}
	file.sending = Sending{Size: size, ModTime: file.info.ModTime().UnixNano(), SHA256: hex.EncodeToString(sum.Sum(nil))}
	_, err = body.Seek(0, io.SeekStart)
	return err
}

// bounded is a reader that ends with a context.
type bounded struct {
	ctx    context.Context
	reader io.Reader
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.ctx.Err() != nil {
		return 0, context.Cause(b.ctx)
	}
	return b.reader.Read(p)
}

// noteSending notes what is about to become a version of a file that the service has.
func (u *upload) noteSending(file *localFile) error {
	e := file.Was
	if e.Path == "" {
		e.Path = file.Path
	}
	if Key(e.FileID) != Key(file.ID) {
		e = Entry{Path: e.Path, FileID: file.ID, Name: file.Name}
	}
	if !e.Noted() && file.Stored {
		e.Version, e.Size = file.Version, -1 // the version that is about to be replaced
	}
	e.Sending = file.sending
	return u.set(e)
}

// recorded notes the record of a new file, and the content that is about to go there.
func (u *upload) recorded(at, id string, sending Sending) error {
	if u.manifest == nil {
		return nil
	}
	e, _ := u.manifest.Lookup(at)
	e.Path, e.FileID, e.Sending = at, id, sending
	return u.set(e)
}
