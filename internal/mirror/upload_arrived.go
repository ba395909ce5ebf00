package mirror

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
)

// fingerprint reads a content before it is sent: a process that ends meanwhile
// cannot tell the version that the service has then from one of somebody else,
// and the local file may have changed when the next one looks.
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

// noteSending notes what is about to become a version of a file that the
// service has.
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

// recorded notes the record of a new file, and the content that is about to go
// there.
func (u *upload) recorded(at, id string, sending Sending) error {
	if u.manifest == nil {
		return nil
	}
	e, _ := u.manifest.Lookup(at)
	e.Path, e.FileID, e.Sending = at, id, sending
	return u.set(e)
}
