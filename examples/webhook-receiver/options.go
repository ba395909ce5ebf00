package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/practicesdk/practice-go/examples/internal/program"
)

const usage = `usage: webhook-receiver [flags]
  -dir DIR        where the queue and the database are; else a directory for
                  temporary files
  -db FILE        the database; else copy.db in the directory
  -nats ADDRESS   NATS server for the queue and the events, such as
                  nats://127.0.0.1:4222
  -redis ADDRESS  Redis server for the events and the rate limit, such as
                  redis://127.0.0.1:6379
  -listen ADDR    host and port to receive at; else any on 127.0.0.1
  -callback URL   address for the subscription; else that of this machine
  -events N       changes in the embedded service; else 120
  -slow TIME      what a handler takes longer there, to have something to
                  interrupt; else 50ms
`

// options is the command line.
type options struct {
	dir, db, nats, redis, listen, callback string
	events                                 int
	slow                                   time.Duration
}

func parse(args []string) (options, error) {
	var o options
	flags := flag.NewFlagSet("webhook-receiver", flag.ContinueOnError)
	flags.StringVar(&o.dir, "dir", "", "")
	flags.StringVar(&o.db, "db", "", "")
	flags.StringVar(&o.nats, "nats", "", "")
	flags.StringVar(&o.redis, "redis", "", "")
	flags.StringVar(&o.listen, "listen", "127.0.0.1:0", "")
	flags.StringVar(&o.callback, "callback", "", "")
	flags.IntVar(&o.events, "events", 120, "")
	flags.DurationVar(&o.slow, "slow", 50*time.Millisecond, "")
	return o, program.Parse(flags, args, 0)
}

// prepare creates the directory, which other users cannot read: it holds the
// deliveries and the keys.
func (o *options) prepare(embedded bool) error {
	if o.dir == "" {
		if !embedded {
			return fmt.Errorf("%w: -dir is needed with a service", program.ErrUsage)
		}
		o.dir = filepath.Join(os.TempDir(), "practice-webhook-receiver")
	}
	if o.db == "" {
		o.db = filepath.Join(o.dir, "copy.db")
	}
	return os.MkdirAll(o.dir, 0o700)
}
