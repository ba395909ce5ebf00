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

// WithStateFile keeps in a file what requests change, so that another service
// with the same options goes on with the same firm, credentials, tokens,
// addresses, subscriptions and contents of files. The clock runs on meanwhile.
//
// The file is a journal of those requests, to the service and to the control
// interface (see [WithControl]); it is written before each of them is answered,
// and begins anew with a [Server.Reset] through the control interface. It has
// no changes that a program makes by methods of a [Server], no faults, no
// recorded requests and deliveries, and no notifications that were under way.
// It holds the credentials; only its owner can read it.
//
// One service at a time uses a file; another one fails with a
// [StateInUseError]. So does, with another error, one with other options, and
// one that finds the file broken or answers otherwise than the one that wrote
// it. A last line that is not complete is dropped: nobody got an answer to it.
// It cannot be combined with [WithObjectStore]. On a virtual clock, polling has
// no effect on writes.
func WithStateFile(path string) Option {
	return func(c *config) { c.stateFile = path }
}

// stateFile is the journal of a service. Its first line holds the initial state
// of the service, each other one a request. Every line begins with a checksum
// of itself and all before it.
type stateFile struct {
	path  string
	place *atomicfile.Place
	lock  *os.File // held while the file is in use
	head  stateHead
	old   *bufio.Reader // requests to replay; nil in a new file

	mu     sync.Mutex // held while a request is performed and written down
	file   *os.File
	sum    uint32
	size   int64 // of the whole lines
	failed error // why nothing can be kept any more
}

// stateHead is the initial state of a service.
type stateHead struct {
	Format      int             `json:"practiceState"`
	Setup       json.RawMessage `json:"setup"`
	Began       time.Time       `json:"began"`
	Secrets     uint64          `json:"secrets"`
	Credentials Credentials     `json:"credentials"`
}

const stateFormat = 1

// keptRequest is a request that may have changed something.
type keptRequest struct {
	At     time.Time     `json:"at"`
	Ahead  time.Duration `json:"ahead"` // of the clock
	Part   string        `json:"part"`
	Method string        `json:"method"`
	URI    string        `json:"uri"`
	Header http.Header   `json:"header"`
	Body   []byte        `json:"body"`
	Status int           `json:"status"`
	Answer string        `json:"answer"` // the beginning of its hash
}

// setup returns the options on which answers depend, as a text to compare.
func (c *config) setup() json.RawMessage {
	return encode(map[string]any{
		"seed": c.seed, "events": c.events, "matters": c.matters, "promotions": c.promotions, "clock": c.start, "writeDelay": c.writeDelay,
		"tokenLifetime": c.tokenLifetime, "refreshLifetime": c.refreshLifetime, "presignedLifetime": c.presignedLifetime,
		"oneTimeRefresh": c.oneTimeRefresh, "multiAccount": c.multiAccount, "publicClient": c.publicClient, "eventTypes": c.eventTypes,
		"barePromotions": c.barePromotions, "vendorMember": c.vendorMember, "earlyNotFound": c.earlyNotFound,
		"consistency": c.consistency, "rendering": c.rendering, "unpublished": c.unpublished,
	})
}

// openStateFile opens the file and reads the initial state of the service. It
// returns nil if no file is set.
func openStateFile(c *config) (*stateFile, error) {
	if c.stateFile == "" {
		return nil, nil
	}
	if c.sign != nil {
		return nil, errors.New("the object store has a state of its own")
	}
	k := &stateFile{path: c.stateFile}
	err := k.take()
	if err == nil {
		err = k.read(c)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("the state in %s: %w", c.stateFile, err), k.close())
	}
	return k, nil
}

// take locks the file for this process. A system without locks has to do
// without.
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
	return k.lock.Truncate(0) // the address of a server that has ended
}

// user returns who uses the file, as it has said beside its lock.
func (k *stateFile) user() error {
	used := &StateInUseError{}
	if text, err := io.ReadAll(k.lock); err == nil && len(text) > 0 {
		_ = json.Unmarshal(text, used) // it is just being written otherwise
	}
	if file, err := k.place.Open(); err == nil {
		head := &stateFile{old: bufio.NewReader(file)}
		if head.next(&head.head) == nil {
			used.Credentials = head.head.Credentials
		}
		_ = file.Close() // it was only read
	}
	return used
}

// tell writes beside the lock where the service is.
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
// [WithStateFile], and how to reach it: a program can connect to it in the
// place of starting one of its own.
type StateInUseError struct {
	// BaseURL, AuthorizeURL, TokenURL and ControlURL are the addresses of the
	// other service, as its [Server] has them. They are empty while it begins,
	// and ControlURL is without [WithControl].
	BaseURL, AuthorizeURL, TokenURL, ControlURL string
	// Credentials holds ClientID, ClientSecret and APIKey, and no tokens.
	Credentials Credentials `json:"-"`
}

// Error names the address of the other service.
func (e *StateInUseError) Error() string {
	if e.BaseURL == "" {
		return "the file is held by another process, which begins"
	}
	return "the file is held by another process, which serves " + cmp.Or(e.ControlURL, e.BaseURL)
}

// read opens the file and reads its first line, if there is one.
func (k *stateFile) read(c *config) error {
	file, err := k.place.Open()
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if info, err := file.Stat(); err != nil || info.Size() == 0 {
		return errors.Join(err, file.Close()) // an empty one begins a new firm
	}
	k.file, k.old = file, bufio.NewReader(file)
	err = k.next(&k.head)
	switch {
	case errors.Is(err, io.EOF):
		return errors.New("line 1 is broken")
	case err != nil:
		return err
	case k.head.Format != stateFormat:
		return fmt.Errorf("it has the form %d, not %d", k.head.Format, stateFormat)
	}
	return k.compare(c.setup())
}

// compare names the options in which the service differs from that of the file.
func (k *stateFile) compare(now json.RawMessage) error {
	var was, is map[string]json.RawMessage
	if err := errors.Join(json.Unmarshal(k.head.Setup, &was), json.Unmarshal(now, &is)); err != nil {
		return err
	}
	var errs []error
	for name, value := range is {
		if !bytes.Equal(value, was[name]) {
			errs = append(errs, fmt.Errorf("%s is %s in the file, not %s", name, was[name], value))
		}
	}
	return errors.Join(errs...)
}

// next reads a line. [io.EOF] is the end, also behind a line that is not whole.
func (k *stateFile) next(into any) error {
	line, err := k.old.ReadBytes('\n')
	if err != nil {
		return err
	}
	sum, text, _ := bytes.Cut(bytes.TrimSuffix(line, []byte("\n")), []byte(" "))
	want, err := strconv.ParseUint(string(sum), 16, 32)
	if err != nil || uint32(want) != crc32.Update(k.sum, crc32.IEEETable, text) {
		return errors.New("the check sum is wrong")
	}
	k.sum, k.size = uint32(want), k.size+int64(len(line))
	return json.Unmarshal(text, into)
}

// begin writes the first line of a new file, and further ones, in the place of
// all there was. An incomplete file is never seen under the name.
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

// add writes a line.
func (k *stateFile) add(line any) error {
	text := encode(line)
	sum := crc32.Update(k.sum, crc32.IEEETable, text)
	n, err := fmt.Fprintf(k.file, "%08x %s\n", sum, text)
	k.sum, k.size = sum, k.size+int64(n)
	return err
}

// ready truncates an incomplete line; further lines are appended.
func (k *stateFile) ready() error {
	k.old = nil
	if err := k.file.Truncate(k.size); err != nil {
		return err
	}
	_, err := k.file.Seek(k.size, io.SeekStart)
	return err
}

// close releases the file for another service.
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
