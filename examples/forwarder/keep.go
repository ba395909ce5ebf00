package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/practicesdk/practice-go/examples/internal/program"
	"github.com/practicesdk/practice-go/examples/internal/setup"
	"github.com/practicesdk/practice-go/webhook"
)

// kept is a line of the file of -keep.
type kept struct {
	Received  time.Time `json:"received"`
	RequestID string    `json:"requestId"`
	Body      string    `json:"body"` // to the byte
}

// keeper writes the notifications that a receiver acknowledges to a file.
type keeper struct {
	receiver http.Handler
	log      *lines

	mu   sync.Mutex
	file *os.File
}

// kept stores the notifications, if requested, in a file that other users
// cannot read: they are about people.
func (o options) kept(receiver http.Handler, log *lines) (http.Handler, func() error, error) {
	if o.keep == "" {
		return receiver, func() error { return nil }, nil
	}
	file, err := os.OpenFile(o.keep, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, nil, err
	}
	return &keeper{receiver: receiver, log: log, file: file}, file.Close, nil
}

func (k *keeper) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var body bytes.Buffer // the part that the receiver reads, and nothing of a forgery
	seen := r.WithContext(r.Context())
	seen.Body = struct {
		io.Reader
		io.Closer
	}{io.TeeReader(r.Body, &body), r.Body}
	answer := &answer{ResponseWriter: w}
	k.receiver.ServeHTTP(answer, seen)
	if answer.status != http.StatusOK {
		return
	}
	n := kept{time.Now(), r.Header.Get(webhook.HeaderRequestID), body.String()}
	k.log.unless(nil, k.keep(n))
	k.log.print("kept %s", n.Body)
}

func (k *keeper) keep(n kept) error {
	line, err := json.Marshal(n)
	if err != nil {
		return err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	_, err = k.file.Write(append(line, '\n'))
	return err
}

// answer records the written status.
type answer struct {
	http.ResponseWriter
	status int
}

func (a *answer) WriteHeader(status int) {
	a.status = status
	a.ResponseWriter.WriteHeader(status)
}

func (a *answer) Unwrap() http.ResponseWriter { return a.ResponseWriter }

var errNotTaken = errors.New("not every notification was taken")

// sendAgain sends the kept notifications to an address, in their order and each
// signed as of now: a receiver refuses signatures that are some minutes old.
func (o options) sendAgain(ctx context.Context, clientID string, log *lines) (err error) {
	if o.to == "" || o.dir+o.listen+o.callback+o.keep != "" {
		return fmt.Errorf("%w: -replay goes with -to, and with no other flag", program.ErrUsage)
	}
	signer, err := webhook.NewSigner(clientID, o.key)
	if err != nil {
		return fmt.Errorf("%w: %s and %s: %w", program.ErrUsage, setup.Variable("CLIENT_ID"), setup.Variable("WEBHOOK_KEY"), err)
	}
	file, err := os.Open(o.replay)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	all, taken := 0, 0
	for decoder := json.NewDecoder(file); ; all++ {
		var n kept
		switch err := decoder.Decode(&n); {
		case errors.Is(err, io.EOF) && taken == all:
			return log.err
		case errors.Is(err, io.EOF):
			return fmt.Errorf("%w: %d of %d", errNotTaken, taken, all)
		case err != nil:
			return fmt.Errorf("notification %d: %w", all+1, err)
		}
		status, err := sendKept(ctx, o.to, signer, n)
		if err != nil {
			return err
		}
		if status == http.StatusOK {
			taken++
		}
		log.print("%d %s", status, n.Body)
	}
}

func sendKept(ctx context.Context, to string, signer *webhook.Signer, n kept) (status int, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, to, strings.NewReader(n.Body))
	if err != nil {
		return 0, err
	}
	request.Header.Set("Content-Type", "application/json")
	if err := signer.Sign(request.Header, time.Now(), n.RequestID); err != nil {
		return 0, err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, err
	}
	return response.StatusCode, response.Body.Close()
}
