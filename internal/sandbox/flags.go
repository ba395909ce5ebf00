package sandbox

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/practicesdk/practice-go/practicetest"
)

const usage = `%s is a practice management service for trying things out:
matters, documents, contacts, fees, calendar, trust accounts and webhooks of a
made-up law firm. It needs neither a network nor an account, and discards
everything when it ends, unless -state names a file.

  %s > sandbox.env & pid=$!
  until grep -q open sandbox.env; do sleep 0.1; done
  . ./sandbox.env                                 # set URLs, credentials   
  curl -H "x-api-key: $PRACTICE_API_KEY" \
       -H "Authorization: Bearer $PRACTICE_ACCESS_TOKEN" \
       "$PRACTICE_BASE_URL/bankaccounts"
  curl -H "x-api-key: $PRACTICE_API_KEY" "$PRACTICE_SANDBOX_URL/requests"
  kill $pid; wait $pid                            # end it

It is strict: it prints each request that the API does not allow, and exits
with status 1 if there were any.

Flags:
`

// settings holds the values of the command-line flags.
type settings struct {
	listen, publicURL            string
	remote, remoteCallbacks      bool
	seed                         uint64
	events, matters, promotions  int
	strict                       bool
	writeDelay, latency          time.Duration
	rateLimit                    float64
	retryAfter                   time.Duration
	lifetime, refresh, presigned time.Duration
	oneTimeRefresh, multiAccount bool
	barePromotions               bool
	duplicates, disorder         float64
	redeliveries, requestLog     int
	openAPI                      bool
	log, state                   string
	forms                        forms

	seeded bool // whether -seed was given
}

// parse parses the command line. On an error it also returns the help text. The
// error is flag.ErrHelp if the user asked for help.
func parse(name string, args []string) (s *settings, help string, err error) {
	s = &settings{}
	flags := flag.NewFlagSet(name, flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	s.declareService(flags)
	s.declareBehaviour(flags)
	s.forms.declare(flags)
	err = flags.Parse(args)
	flags.Visit(func(f *flag.Flag) { s.seeded = s.seeded || f.Name == "seed" })
	switch {
	case err != nil:
	case flags.NArg() > 0:
		err = fmt.Errorf("unexpected argument %q", flags.Arg(0))
	default:
		err = s.check()
	}
	if err == nil {
		return s, "", nil
	}
	text := bytes.NewBufferString(fmt.Sprintf(usage, strings.ToUpper(name[:1])+name[1:], name))
	flags.SetOutput(text)
	flags.PrintDefaults()
	return nil, text.String(), err
}

// declareService declares the flags for the address and the data of the
// service.
func (s *settings) declareService(flags *flag.FlagSet) {
	flags.StringVar(&s.listen, "listen", "127.0.0.1:0",
		"`address` of the API; the storage and the token endpoint use the next two\n"+
			"ports, or free ports with port 0")
	flags.StringVar(&s.publicURL, "public-url", "",
		"scheme, host and port that clients use, if they differ from the listen\naddress, as a `URL`: http://sandbox:8001")
	flags.BoolVar(&s.remote, "allow-remote", false, "listen at an address that other machines can reach")
	flags.BoolVar(&s.remoteCallbacks, "allow-remote-callbacks", false,
		"allow webhook deliveries to other machines; anyone with the credentials\ncan choose the machines")
	flags.Uint64Var(&s.seed, "seed", 1,
		"`number` from which the firm is generated; the same number gives the same\n"+
			"firm and, if the flag is set, the same credentials")
	flags.IntVar(&s.events, "events", 300, "`number` of calendar events")
	flags.IntVar(&s.matters, "matters", 8, "`number` of matters")
	flags.IntVar(&s.promotions, "promotions", 12, "`number` of promotions")
	flags.BoolVar(&s.multiAccount, "multi-account", false, "let the client use both firms; each path names the firm")
	flags.StringVar(&s.state, "state", "", "`file` that saves the changes for the next start with the same flags")
	flags.BoolVar(&s.openAPI, "openapi", false, "print the API description and exit")
}

// declareBehaviour declares the flags that change how the service behaves.
func (s *settings) declareBehaviour(flags *flag.FlagSet) {
	flags.BoolVar(&s.strict, "strict", true, "print requests that the API does not allow, and exit with status 1 if\nthere were any")
	flags.DurationVar(&s.writeDelay, "write-delay", 100*time.Millisecond, "`time` until an accepted write can be read back")
	flags.DurationVar(&s.latency, "latency", 0, "`time` added to every response")
	flags.Float64Var(&s.rateLimit, "rate-limit", 0,
		"`number` of requests per second above which the response is 429; 0 sets no\nlimit (the real service allows 5)")
	flags.DurationVar(&s.retryAfter, "retry-after", 0, "`time` in the Retry-After header of a 429 response; 0 sends no header")
	flags.DurationVar(&s.lifetime, "token-lifetime", time.Hour, "`time` until an access token expires")
	flags.DurationVar(&s.refresh, "refresh-lifetime", 30*24*time.Hour, "`time` until a refresh token expires")
	flags.DurationVar(&s.presigned, "presigned-lifetime", 15*time.Minute, "`time` until an upload or download URL expires")
	flags.BoolVar(&s.oneTimeRefresh, "one-time-refresh", false, "let each refresh token be used only once")
	flags.BoolVar(&s.barePromotions, "bare-promotions", false, "return promotions as an array that is not wrapped in an object, as the\nservice may")
	flags.Float64Var(&s.duplicates, "duplicates", 0, "`share` of webhook deliveries sent twice, between 0 and 1")
	flags.Float64Var(&s.disorder, "disorder", 0, "`share` of webhook deliveries sent out of order, between 0 and 1")
	flags.IntVar(&s.redeliveries, "redeliveries", 0, "`number` of retries of a failed webhook delivery")
	flags.StringVar(&s.log, "log", "", "print each request to stderr in this `format`: text or json")
	flags.IntVar(&s.requestLog, "request-log", 1000, "`number` of requests to keep for the control API")
}

// check reports flag values that are syntactically valid but not allowed.
func (s *settings) check() error {
	if s.log != "" && s.log != "text" && s.log != "json" {
		return fmt.Errorf("-log must be text or json, not %q", s.log)
	}
	return errors.Join(s.checkReach(), practicetest.CheckOptions(s.options()...))
}

// checkReach refuses a listen address that other machines can reach, unless
// -allow-remote is set, and an unspecified address without -public-url. A
// malformed address is reported later, by the listener.
func (s *settings) checkReach() error {
	host, _, err := net.SplitHostPort(s.listen)
	ip := net.ParseIP(host)
	everywhere := err == nil && (host == "" || ip.IsUnspecified())
	here := err != nil || host == "localhost" || ip.IsLoopback()
	switch {
	case !here && !s.remote:
		return fmt.Errorf("other machines can reach %s: use -allow-remote to allow this", s.listen)
	case everywhere && s.publicURL == "":
		return errors.New("clients cannot call an unspecified address: use -public-url to set the URL that they use")
	}
	return nil
}

// options converts the settings to options of the service.
func (s *settings) options() []practicetest.Option {
	opts := []practicetest.Option{
		practicetest.WithControl(), practicetest.WithListenAddress(s.listen), practicetest.WithPublicURL(s.publicURL),
		practicetest.WithSeed(s.seed), practicetest.WithEvents(s.events), practicetest.WithMatters(s.matters),
		practicetest.WithPromotions(s.promotions), practicetest.WithMultiAccount(s.multiAccount),
		practicetest.WithStrict(s.strict), practicetest.WithWriteDelay(s.writeDelay), practicetest.WithLatency(s.latency),
		practicetest.WithRetryAfter(s.retryAfter), practicetest.WithTokenLifetime(s.lifetime),
		practicetest.WithRefreshLifetime(s.refresh), practicetest.WithPresignedLifetime(s.presigned),
		practicetest.WithOneTimeRefresh(s.oneTimeRefresh), practicetest.WithBarePromotions(s.barePromotions),
		practicetest.WithWebhookChaos(s.duplicates, s.disorder), practicetest.WithWebhookRedeliveries(s.redeliveries),
		practicetest.WithRequestLog(s.requestLog),
	}
	opts = append(opts, s.forms.options()...)
	if s.rateLimit != 0 {
		opts = append(opts, practicetest.WithRateLimit(s.rateLimit, int(max(1, math.Ceil(s.rateLimit)))))
	}
	if !s.seeded {
		opts = append(opts, practicetest.WithRandomSecrets())
	}
	if s.state != "" {
		opts = append(opts, practicetest.WithStateFile(s.state))
	}
	if s.remoteCallbacks {
		opts = append(opts, practicetest.WithWebhookClient(&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}))
	}
	return opts
}
