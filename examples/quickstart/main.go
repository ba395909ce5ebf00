// Quickstart shows the main job of the library: accounts and balances, the
// documents of a matter, a file up and down again, the calendar, a fee
// corrected and the notification that tells of it.
//
//	go run ./examples/quickstart
//
// Without any variable it starts the embedded service and needs no network.
// With PRACTICE_BASE_URL, PRACTICE_API_KEY and either PRACTICE_TOKEN_URL,
// PRACTICE_CLIENT_ID and PRACTICE_CLIENT_SECRET or PRACTICE_ACCESS_TOKEN it
// reads from that service and writes nothing; PRACTICE_MATTER_ID chooses the
// matter.
package main

import (
	"context"
	"errors"
	"flag"
	"io"
	"os"
	"time"

	"github.com/practicesdk/practice-go/examples/internal/program"
	"github.com/practicesdk/practice-go/examples/internal/setup"
	"github.com/practicesdk/practice-go/examples/internal/term"
	"github.com/practicesdk/practice-go/practicetest"
)

func main() {
	os.Exit(program.Run("quickstart", usage, os.Stdout, os.Stderr, func(ctx context.Context) error {
		return run(ctx, os.Args[1:], os.Stdout, os.Getenv)
	}))
}

const usage = `usage: quickstart
  PRACTICE_BASE_URL and the other variables name a service; else it starts one
`

// show holds the values that the sections share.
type show struct {
	*term.Printer
	*setup.Service
}

// section is one part of the main job.
type section struct {
	title string
	write bool // changes something, so it is for the embedded service only
	run   func(context.Context, *show) error
}

func sections() []section {
	return []section{
		{"Bank accounts and balances", false, accounts},
		{"The documents of a matter", false, documents},
		{"A file, there and back", true, roundTrip},
		{"The calendar of the next seven days", false, calendar},
		{"A fee corrected, and the notification that tells of it", true, fee},
	}
}

func run(ctx context.Context, args []string, stdout io.Writer, env func(string) string) (err error) {
	if err := program.Parse(flag.NewFlagSet("quickstart", flag.ContinueOnError), args, 0); err != nil {
		return err
	}
	started := time.Now()
	service, err := setup.Open(env, setup.Options{
		Program: "practice-quickstart",
		Service: []practicetest.Option{practicetest.WithEvents(600)},
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, service.Close()) }()

	s := &show{term.New(stdout, env), service}
	s.greet()
	var left []string
	number := 0
	for _, part := range sections() {
		if part.write && !service.Embedded {
			left = append(left, part.title)
			continue
		}
		number++
		s.Heading("%d. %s", number, part.title)
		if err := part.run(ctx, s); err != nil {
			return err
		}
		if err := s.Err(); err != nil {
			return err
		}
	}
	s.farewell(left, time.Since(started))
	return s.Err()
}

func (s *show) greet() {
	s.Title("Practice quickstart")
	if s.Embedded {
		s.Line("An embedded service was started at %s.", s.BaseURL)
		s.Line("Its firm is made up, and nothing leaves this machine.")
		return
	}
	s.Line("Reading from %s, signed in by %s.", s.BaseURL, s.SignIn)
}

func (s *show) farewell(left []string, took time.Duration) {
	if len(left) > 0 {
		s.Heading("Left out, because it writes")
		for _, title := range left {
			s.Line("%s", title)
		}
		s.Note("Run without %s to see it against an embedded service.", setup.Variable("BASE_URL"))
	}
	s.Blank()
	s.Good("Done in %s.", took.Round(10*time.Millisecond))
	s.Note("Next: go run ./examples/tour calls every operation once.")
}
