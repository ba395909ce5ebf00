package command

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/practicesdk/practice-go/internal/backoff"
	"github.com/practicesdk/practice-go/webhook"
)

// largestDelivery is the maximum size of a body in bytes.
const largestDelivery = 4 << 20

var errReplayed = errors.New("the signature has already been used")

// arrival is the line about a forwarded delivery. Without Body it has no member
// that is personal by members.Personal.
type arrival struct {
	Time         string          `json:"time"`
	Type         string          `json:"type"`
	ID           string          `json:"id,omitempty"` // of the record
	Source       string          `json:"source,omitempty"`
	UserID       string          `json:"userId,omitempty"`
	RequestID    string          `json:"requestId,omitempty"`
	Bytes        int             `json:"bytes"`
	Status       int             `json:"status"` // of the program; 0 if it did not respond
	Milliseconds int64           `json:"milliseconds"`
	Error        string          `json:"error,omitempty"`
	Body         json.RawMessage `json:"body,omitempty"`
}

// receive sets the receiver of the deliveries to a client id.
func (l *listening) receive(clientID, key string) (err error) {
	l.receiver, err = webhook.NewReceiver(clientID, webhook.Keys(key), webhook.WithMaxBody(largestDelivery), webhook.WithErrorHook(l.tell),
		webhook.WithAlarmHook(func(context.Context, webhook.Alarm) (refuse bool) { return true }))
	if err == nil {
		webhook.OnAny(l.receiver, l.deliver)
	}
	return err
}

// ofRequest is the context key of the headers of a delivery.
type ofRequest struct{}

// ServeHTTP passes the requests for the random path to the receiver.
func (l *listening) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !strings.HasSuffix(r.URL.Path, l.path) {
		l.astray.Do(func() {
			l.say("Received a request for a different path. The last segment of the path must not change between --public-url and --port.")
		})
		http.NotFound(w, r)
		return
	}
	l.receiver.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), ofRequest{}, r.Header)))
}

// deliver forwards a verified delivery and prints a line about it. The service
// signs each delivery anew, so a signature is used until the program accepts the
// delivery.
func (l *listening) deliver(ctx context.Context, e *webhook.Event[json.RawMessage]) (err error) {
	signature := e.Verified.Signature.Reveal()
	if _, again := l.used.LoadOrStore(signature, true); again {
		return errReplayed
	}
	time.AfterFunc(3*webhook.DefaultTolerance, func() { l.used.Delete(signature) }) // it is too old by then
	begun := backoff.Start()
	status, err := l.forward(ctx, e.Raw)
	line := arrival{
		Time: time.Now().Format(time.RFC3339), Type: string(e.Type), ID: e.ResourceID(), Source: e.Source, UserID: e.UserID, RequestID: e.Verified.RequestID,
		Bytes: len(e.Raw), Status: status, Milliseconds: begun.Passed().Milliseconds(),
	}
	if err != nil {
		l.used.Delete(signature)
		line.Error = err.Error()
	}
	if l.bodies {
		line.Body = e.Raw
	}
	l.show(line)
	return err
}

// forward sends a body to the program, with the headers that are not those of
// the connection.
func (l *listening) forward(ctx context.Context, body []byte) (status int, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, l.forwardTo, bytes.NewReader(body))
	if err != nil {
		return 0, err
	}
	header, _ := ctx.Value(ofRequest{}).(http.Header)
	request.Header = header.Clone()
	for _, name := range []string{"Connection", "Content-Length", "Expect", "Keep-Alive", "Proxy-Connection", "Te", "Trailer", "Transfer-Encoding", "Upgrade"} {
		request.Header.Del(name)
	}
	response, err := l.program.Do(request)
	if err != nil {
		return 0, err
	}
	_ = response.Body.Close() // only its status matters
	if response.StatusCode/100 != 2 {
		err = fmt.Errorf("the program returned status %d", response.StatusCode)
	}
	return response.StatusCode, err
}

// show prints a line at once.
func (l *listening) show(line arrival) {
	l.printing.Lock()
	defer l.printing.Unlock()
	err := l.out.record(encode(line))
	if err == nil {
		err = l.out.flushTable()
	}
	if err == nil {
		err = l.out.w.Flush()
	}
	if err != nil {
		l.end(phaseShow.of(err))
	}
}

// tell prints why a delivery was refused. Failures of the program have a line of
// their own.
func (l *listening) tell(_ context.Context, err *webhook.DeliveryError) {
	failed := errors.Is(err, webhook.ErrHandler) || errors.Is(err, webhook.ErrUnfinished)
	if !failed || errors.Is(err, errReplayed) {
		l.say("%v", err)
	}
}
