package main

import (
	"flag"
	"fmt"
	"io"
	"math"
	"time"

	"github.com/practicesdk/practice-go/practicetest"
)

const usage = `Practice-sandbox is a practice management service to try things out on: matters,
documents, contacts, fees, calendar, trust accounts and webhooks of a made-up law
firm. It needs no network and no account, and forgets everything when it ends.

  practice-sandbox > sandbox.env &     # start it
  sleep 1 && . ./sandbox.env           # take its addresses and credentials
  curl -H "x-api-key: $PRACTICE_API_KEY" \
       -H "Authorization: Bearer $PRACTICE_ACCESS_TOKEN" "$PRACTICE_BASE_URL/bankaccounts"
  kill %1                              # end it

Flags:
`

// parse reads the command line. Whatever is wrong with it was written to stderr.
func parse(args []string, stderr io.Writer) ([]practicetest.Option, error) {
	flags := flag.NewFlagSet("practice-sandbox", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() {
		_, _ = io.WriteString(stderr, usage) // there is no other place to say it
		flags.PrintDefaults()
	}
	listen := flags.String("listen", "127.0.0.1:0",
		"`address` of the interface; storage and token endpoint take the next two ports, or free ones with port 0")
	seed := flags.Uint64("seed", 1, "`number` that makes up the firm; equal numbers make up equal firms")
	events := flags.Int("events", 300, "`number` of calendar events")
	matters := flags.Int("matters", 8, "`number` of matters")
	writeDelay := flags.Duration("write-delay", 100*time.Millisecond, "`time` until an accepted write can be read back")
	latency := flags.Duration("latency", 0, "`time` every answer takes longer")
	rateLimit := flags.Float64("rate-limit", 0, "`number` of requests a second before the answer is 429; 0 is no limit (the real service allows 5)")
	lifetime := flags.Duration("token-lifetime", time.Hour, "`time` until an access token expires")
	duplicates := flags.Float64("duplicates", 0, "`share` of webhook deliveries sent twice, 0 to 1")
	disorder := flags.Float64("disorder", 0, "`share` of webhook deliveries sent out of order, 0 to 1")
	redeliveries := flags.Int("redeliveries", 0, "`times` a failed webhook delivery is tried again")
	if err := flags.Parse(args); err != nil {
		return nil, err
	}
	opts := []practicetest.Option{
		practicetest.WithListenAddress(*listen), practicetest.WithSeed(*seed), practicetest.WithEvents(*events),
		practicetest.WithMatters(*matters), practicetest.WithWriteDelay(*writeDelay), practicetest.WithLatency(*latency),
		practicetest.WithTokenLifetime(*lifetime), practicetest.WithWebhookChaos(*duplicates, *disorder),
		practicetest.WithWebhookRedeliveries(*redeliveries),
	}
	if *rateLimit > 0 {
		opts = append(opts, practicetest.WithRateLimit(*rateLimit, int(max(1, math.Ceil(*rateLimit)))))
	}
	return opts, check(flags, *duplicates, *disorder)
}

// check refuses what package flag cannot.
func check(flags *flag.FlagSet, shares ...float64) error {
	var err error
	for _, share := range shares {
		if !(share >= 0 && share <= 1) {
			err = fmt.Errorf("a share lies between 0 and 1, not at %v", share)
		}
	}
	if flags.NArg() > 0 {
		err = fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	if err != nil {
		_, _ = fmt.Fprintln(flags.Output(), err) // there is no other place to say it
		flags.Usage()
	}
	return err
}
