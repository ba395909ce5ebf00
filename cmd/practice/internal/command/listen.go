package command

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/transport"
	"github.com/practicesdk/practice-go/webhook"
)

// endLimit is the time limit for the removal of the subscription, and for the
// deliveries that are being forwarded, when the command ends.
const endLimit = 30 * time.Second

// listening forwards the events of its own subscription to a program.
type listening struct {
	*app
	forwardTo, publicURL string
	port                 int
	events               []string
	bodies, remote, test bool

	client   *practice.Client
	receiver *webhook.Receiver
	program  *http.Client // sends to the program
	end      context.CancelCauseFunc
	path     string    // of the callback URL
	used     sync.Map  // signatures of deliveries that the program has
	astray   sync.Once // for requests to another path
	printing sync.Mutex
	out      *printer
}

// listenCommand returns the subcommand of the webhooks area that is not an
// operation.
func (a *app) listenCommand() *cobra.Command {
	l := &listening{app: a, program: &http.Client{
		Transport:     &http.Transport{DisableKeepAlives: true, DisableCompression: true}, // without a proxy
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
	c := &cobra.Command{
		Use: "listen", Short: "Forward events to a program on this machine", Args: takes, PreRunE: a.really,
		Long: "Subscribes to the firm's events until you press Ctrl-C. Verifies each delivery, forwards it unchanged, and prints a line about it. " +
			"The service receives status 200 if the program returns a 2xx status, 503 if it takes more than 8 seconds, and otherwise 500. " +
			"The service must be able to reach --public-url, for example the URL of a tunnel to --port. A sandbox does not require --public-url.",
		Example: "practice --sandbox webhooks listen --forward-to http://localhost:8080 --test\n" +
			"practice webhooks listen --forward-to http://localhost:8080 --port 9300 --public-url https://tunnel.example.test",
		RunE: func(c *cobra.Command, _ []string) error { return l.run(c.Context()) },
	}
	flags := c.Flags()
	flags.StringVar(&l.forwardTo, "forward-to", "", "URL of the program, such as http://localhost:8080/hooks")
	flags.StringVar(&l.publicURL, "public-url", "", "https URL that forwards to --port")
	flags.IntVar(&l.port, "port", 0, "port to listen on at 127.0.0.1; 0 means any free port")
	flags.StringSliceVar(&l.events, "events", nil, "event types to forward, such as matter.updated,memo.created; default: all")
	flags.BoolVar(&l.bodies, "bodies", false, "print complete events, including personal data")
	flags.BoolVar(&l.remote, "allow-remote", false, "allow forwarding to another machine, including personal data")
	flags.BoolVar(&l.test, "test", false, "have the service send a test event of type noop")
	return c
}

// check returns the base of the callback URL, which is empty for the listener's
// own, or an error for wrong flags.
func (l *listening) check() (base string, err error) {
	target, err := url.Parse(l.forwardTo)
	switch {
	case l.forwardTo == "":
		return "", misuse{errors.New("the command requires --forward-to")}
	case err != nil || target.Scheme != "http" && target.Scheme != "https" || target.Hostname() == "" || target.User != nil || target.Fragment != "":
		return "", misuse{fmt.Errorf("--forward-to: %q must be an http or https URL without credentials or a fragment", l.forwardTo)}
	case !transport.IsLoopback(target.Hostname()) && !l.remote:
		return "", misuse{fmt.Errorf("--forward-to: %s is another machine, and events contain personal data; use --allow-remote to forward them", target.Hostname())}
	case l.publicURL == "" && l.sandbox == "":
		return "", misuse{errors.New("the command requires --public-url, a URL at which the service can reach --port")}
	case l.publicURL == "":
		return "", nil
	case l.port == 0:
		return "", misuse{errors.New("--public-url requires --port, the port that it forwards to")}
	}
	public, err := url.Parse(l.publicURL)
	if err != nil || public.Hostname() == "" || public.User != nil || public.RawQuery != "" || public.Fragment != "" ||
		public.Scheme != "https" && (public.Scheme != "http" || l.sandbox == "") {
		return "", misuse{fmt.Errorf("--public-url: %q must be an https URL without credentials, a query or a fragment", l.publicURL)}
	}
	public.Host = strings.ToLower(public.Host)
	return strings.TrimRight(public.String(), "/"), nil
}

// output returns the printer of the events. JSON has one line for each.
func (l *listening) output() (*printer, error) {
	p, err := l.printer()
	if err != nil {
		return nil, err
	}
	p.partial = true // events have no end
	if p.format == formatJSON || p.filter != nil {
		p.format = formatLines
	}
	if len(l.columns) == 0 && p.format != formatLines {
		l.columns = []string{"time", "type", "id", "status", "milliseconds", "error"}
	}
	return p, p.of(reflect.TypeFor[arrival]())
}

func (l *listening) run(ctx context.Context) error {
	base, err := l.check()
	if err != nil {
		return err
	}
	if l.out, err = l.output(); err != nil {
		return err
	}
	t, err := l.target(ctx)
	switch {
	case err != nil:
	case t.ReadOnly:
		err = readOnlyError{t}
	case t.ClientID == "":
		err = misuse{errors.New("PRACTICE_CLIENT_ID is not set: the client id is required to verify signatures")}
	default:
		l.client, err = l.app.client(t)
	}
	if err != nil {
		return phaseCheck.of(err)
	}
	socket, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(l.port)))
	if err != nil {
		return phaseCheck.of(misuse{fmt.Errorf("--port: %w", err)})
	}
	l.path = "/" + rand.Text()
	own := &note{Firm: l.firmOf(t), Address: cmp.Or(base, "http://"+socket.Addr().String()) + l.path, Key: rand.Text(), begun: time.Now()}
	left, err := l.takeNotes(ctx, own)
	defer func() {
		for _, n := range append(left, own) {
			n.close()
		}
	}()
	if err == nil {
		err = l.receive(t.ClientID, own.Key)
	}
	if err != nil {
		return phaseCheck.of(errors.Join(err, socket.Close()))
	}
	return l.serve(ctx, socket, t, own, left)
}

// serve serves deliveries from before the subscription exists until after its
// removal.
func (l *listening) serve(ctx context.Context, socket net.Listener, t *target, own *note, left []*note) error {
	ctx, l.end = context.WithCancelCause(ctx)
	server := &http.Server{
		Handler: l, ReadHeaderTimeout: webhook.ServiceTimeout, ReadTimeout: webhook.ServiceTimeout,
		ErrorLog: slog.NewLogLogger(slog.DiscardHandler, slog.LevelError),
	}
	served := make(chan struct{})
	go func() {
		defer close(served)
		l.end(server.Serve(socket))
	}()
	if err := l.remove(ctx, left...); err != nil {
		l.say("Could not remove subscriptions left over from a previous run: %v", err)
	}
	err := l.subscribe(ctx, own)
	if err == nil {
		l.say("Forwarding events for %s from http://%s to %s. Press Ctrl-C to stop.", t, socket.Addr(), l.forwardTo)
		l.say("Until then, your program can verify signatures with client id %s and key %s.", t.ClientID, own.Key)
		err = l.until(ctx, own)
	}
	ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), endLimit)
	defer cancel()
	if failed := l.remove(ending, own); failed != nil {
		err = errors.Join(err, fmt.Errorf("could not remove the subscription; the next run will try again: %w", failed))
	}
	if own.none {
		l.wrote = written{}
	}
	if server.Shutdown(ending) != nil {
		_ = server.Close() // ends the deliveries that take longer
	}
	<-served
	stats := l.receiver.Stats()
	l.note("Deliveries: %d accepted, %d not accepted.", stats.Accepted, stats.Refused)
	return phaseShow.of(l.out.end(phaseSend.of(err)))
}

// until waits for the end of the command. Its error is nil for Ctrl-C.
func (l *listening) until(ctx context.Context, own *note) error {
	l.wrote = written{}
	if l.test {
		if _, err := l.client.Webhooks.Notify(ctx, own.id); err != nil && ctx.Err() == nil {
			l.say("Could not request the test event: %v", err)
		}
	}
	<-ctx.Done()
	if cause := context.Cause(ctx); !interrupted(cause) {
		return cause
	}
	return nil
}
