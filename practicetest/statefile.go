package practicetest

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"net/http"
	"os"
	"strconv"
	"sync"
	"time"

	"github.com/practicesdk/practice-go/internal/atomicfile"
	"github.com/practicesdk/practice-go/internal/filelock"
)

// WithStateFile saves the changes made by requests in a file. Another service
// with the same options restores the firm, the credentials, tokens, pre-signed
// URLs, subscriptions and file contents from it. The clock continues in
// between.
//
// The file is a journal of the requests to the service and to the control API
// (see [WithControl]) that may have changed something. A request is written
// before its response is sent. A [Server.Reset] through the control API starts
// a new journal. Changes by methods of a [Server], faults, recorded requests,
// deliveries and pending webhooks are not saved. The file contains the
// credentials and is readable only by its owner.
//
// Only one service at a time can use a file; for a second one, [Start] returns
// a [StateInUseError]. It returns a different error if the options differ, if
// the file is corrupt, or if the response to a replayed request differs from
// the recorded one. An incomplete last line is dropped, because its request did
// not get a response. The option cannot be combined with [WithObjectStore].
// With a virtual clock, polling does not apply pending writes.
func WithStateFile(path string) Option {
	return func(c *config) { c.stateFile = path }
}

// stateFile is the journal of a service. The first line holds the initial
// state, the others one request each. A line begins with a checksum of itself
// and all lines before it.
type stateFile struct {
	path  string
	place *atomicfile.Place
	lock  *os.File // locked while the file is in use
	head  stateHead
	old   *bufio.Reader // requests to replay; nil if the file is new

	mu     sync.Mutex // held while a request is performed and recorded
	file   *os.File
	sum    uint32
	size   int64 // size of the complete lines in bytes
	failed error // error after which no more requests are accepted
}

// stateHead is the initial state of a service, stored in the first line.
type stateHead struct {
	Format      int             `json:"practiceState"`
	Setup       json.RawMessage `json:"setup"`
	Began       time.Time       `json:"began"`
	Secrets     uint64          `json:"secrets"`
	Credentials Credentials     `json:"credentials"`
}

const stateFormat = 1

// keptRequest is a recorded request.
type keptRequest struct {
	At     time.Time     `json:"at"`
	Ahead  time.Duration `json:"ahead"` // offset of the clock
	Part   string        `json:"part"`
	Method string        `json:"method"`
	URI    string        `json:"uri"`
	Header http.Header   `json:"header"`
	Body   []byte        `json:"body"`
	Status int           `json:"status"`
	Answer string        `json:"answer"` // first bytes of the response's SHA-256 hash
}

// setup returns the options that affect responses, in a form that can be
// compared.
func (c *config) setup() json.RawMessage {
	return encode(map[string]any{
		"seed": c.seed, "events": c.events, "matters": c.matters, "promotions": c.promotions, "clock": c.start, "writeDelay": c.writeDelay,
		"tokenLifetime": c.tokenLifetime, "refreshLifetime": c.refreshLifetime, "presignedLifetime": c.presignedLifetime,
		"oneTimeRefresh": c.oneTimeRefresh, "multiAccount": c.multiAccount, "publicClient": c.publicClient, "eventTypes": c.eventTypes,
		"barePromotions": c.barePromotions, "vendorMember": c.vendorMember, "earlyNotFound": c.earlyNotFound,
		"consistency": c.consistency, "rendering": c.rendering, "unpublished": c.unpublished,
	})
}

// openStateFile opens the file and reads its first line. It returns nil if no
// file is set.
func openStateFile(c *config) (*stateFile, error) {
	if c.stateFile == "" {
		return nil, nil
	}
	if c.sign != nil {
		return nil, errors.New("a state file cannot be used with an external object store")
	}
	k := &stateFile{path: c.stateFile}
	err := k.take()
	if err == nil {
		err = k.read(c)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("state file %s: %w", c.stateFile, err), k.close())
	}
	return k, nil
}

// take locks the file for this process. On a system without file locks it does
// nothing.
func (k *stateFile) take() error {
	var err error
	if k.place, err = atomicfile.At(k.path); err != nil {
		return err
	}
	if k.lock, err = k.place.OpenLock(); err != nil {
		return err
	}
	switch err := filelock.Lock(k.lock); {
	case errors.Is(err, filelock.ErrHeld):
		return k.user()
	case err != nil && !errors.Is(err, errors.ErrUnsupported):
		return err
	}
	return k.lock.Truncate(0) // removes the addresses of the previous service
}

// user returns an error with the addresses of the service that uses the file.
// That service has written them to the lock file.
func (k *stateFile) user() error {
	used := &StateInUseError{}
	if text, err := io.ReadAll(k.lock); err == nil && len(text) > 0 {
		_ = json.Unmarshal(text, used) // fails while the other service writes it; the addresses are then empty
	}
	if file, err := k.place.Open(); err == nil {
		head := &stateFile{old: bufio.NewReader(file)}
		if head.next(&head.head) == nil {
			used.Credentials = head.head.Credentials
		}
		_ = file.Close() // the file was only read
	}
	return used
}

// tell writes the addresses of the service to the lock file.
func (k *stateFile) tell(s *Server) error {
	if k == nil {
		return nil
	}
	at := StateInUseError{BaseURL: s.BaseURL(), AuthorizeURL: s.AuthorizeURL(), TokenURL: s.TokenURL()}
	if s.cfg.control {
		at.ControlURL = s.ControlURL()
	}
	_, err := k.lock.WriteAt(encode(at), 0)
	return err
}

// StateInUseError reports that another service uses the file of
// [WithStateFile]. It contains the URLs of that service, so a program can use
// that service instead of starting another.
type StateInUseError struct {
	// BaseURL, AuthorizeURL, TokenURL and ControlURL are the URLs of the other
	// service, as returned by the methods of its [Server]. They are empty while
	// that service starts. ControlURL is empty without [WithControl].
	BaseURL, AuthorizeURL, TokenURL, ControlURL string
	// Credentials holds ClientID, ClientSecret and APIKey, but no tokens.
	Credentials Credentials `json:"-"`
}

// Error returns a message with the URL of the other service.
func (e *StateInUseError) Error() string {
	if e.BaseURL == "" {
		return "the file is locked by another process, which is starting"
	}
	return "the file is locked by another process, which serves " + cmp.Or(e.ControlURL, e.BaseURL)
}

// read opens the file and reads the first line. A missing or empty file is no
// error.
func (k *stateFile) read(c *config) error {
	file, err := k.place.Open()
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if info, err := file.Stat(); err != nil || info.Size() == 0 {
		return errors.Join(err, file.Close()) // an empty file counts as missing
	}
	k.file, k.old = file, bufio.NewReader(file)
	err = k.next(&k.head)
	switch {
	case errors.Is(err, io.EOF):
		return errors.New("line 1 is incomplete")
	case err != nil:
		return err
	case k.head.Format != stateFormat:
		return fmt.Errorf("the file has format version %d, but version %d is required", k.head.Format, stateFormat)
	}
	return k.compare(c.setup())
}

// compare returns an error that lists the options which differ from those in
// the file.
func (k *stateFile) compare(now json.RawMessage) error {
	var was, is map[string]json.RawMessage
	if err := errors.Join(json.Unmarshal(k.head.Setup, &was), json.Unmarshal(now, &is)); err != nil {
		return err
	}
	var errs []error
	for name, value := range is {
		if !bytes.Equal(value, was[name]) {
			errs = append(errs, fmt.Errorf("%s is %s in the file but %s in the options", name, was[name], value))
		}
	}
	return errors.Join(errs...)
}

// next reads and decodes the next line. It returns [io.EOF] at the end of the
// file and for an incomplete last line.
func (k *stateFile) next(into any) error {
	line, err := k.old.ReadBytes('\n')
	if err != nil {
		return err
	}
	sum, text, _ := bytes.Cut(bytes.TrimSuffix(line, []byte("\n")), []byte(" "))
	want, err := strconv.ParseUint(string(sum), 16, 32)
	if err != nil || uint32(want) != crc32.Update(k.sum, crc32.IEEETable, text) {
		return errors.New("the checksum does not match")
	}
	k.sum, k.size = uint32(want), k.size+int64(len(line))
	return json.Unmarshal(text, into)
}

// begin replaces the file by a new one with the first line and the given lines.
// The replacement is atomic: no incomplete file appears under its name.
func (k *stateFile) begin(lines ...any) error {
	fresh, err := k.place.Create()
	if err != nil {
		return err
	}
	was := k.file
	k.file, k.sum, k.size = fresh, 0, 0
	for _, line := range append([]any{k.head}, lines...) {
		if err == nil {
			err = k.add(line)
		}
	}
	if err == nil {
		err = fresh.Sync()
	}
	if err == nil {
		err = k.place.Replace()
	}
	if was != nil {
		err = errors.Join(err, was.Close())
	}
	return err
}

// add writes a line with its checksum.
func (k *stateFile) add(line any) error {
	text := encode(line)
	sum := crc32.Update(k.sum, crc32.IEEETable, text)
	n, err := fmt.Fprintf(k.file, "%08x %s\n", sum, text)
	k.sum, k.size = sum, k.size+int64(n)
	return err
}

// ready prepares the file for appending: it cuts off an incomplete last line.
func (k *stateFile) ready() error {
	k.old = nil
	if err := k.file.Truncate(k.size); err != nil {
		return err
	}
	_, err := k.file.Seek(k.size, io.SeekStart)
	return err
}

// close closes the file and releases the lock.
func (k *stateFile) close() error {
	if k == nil {
		return nil
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	err := k.failed
	if k.file != nil {
		err = errors.Join(err, k.file.Sync(), k.file.Close())
	}
	if k.lock != nil {
		err = errors.Join(err, k.lock.Close())
	}
	if k.place != nil {
		err = errors.Join(err, k.place.Close())
	}
	k.file, k.lock, k.place, k.failed = nil, nil, nil, errors.New("the service is closed")
	return err
}
