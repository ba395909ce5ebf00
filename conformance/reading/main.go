// Reading calls the read operations with an account of the real service or of
// another one, and compares the responses with the API description. It prints
// operations, statuses, counts and member names, but no data, so you can share
// its output.
//
//	go run ./conformance/reading
//
// Set PRACTICE_BASE_URL, PRACTICE_API_KEY and either PRACTICE_ACCESS_TOKEN or
// all of PRACTICE_TOKEN_URL, PRACTICE_CLIENT_ID and PRACTICE_CLIENT_SECRET.
// Without PRACTICE_BASE_URL, it reads from the embedded service. It sends only
// GET requests, at most 5 per second. If a response does not match the
// description, it ends with exit code 1.
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"strconv"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/auth"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

func main() {
	log.SetFlags(0)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	client, err := connect()
	if err != nil {
		log.Fatal(err)
	}
	shapes, err := loadShapes()
	if err != nil {
		log.Fatal(err)
	}
	r := reading{client: client, shapes: shapes, ids: map[string]string{}}
	r.all(ctx)
	if err := r.print(os.Stdout); err != nil {
		log.Fatal(err)
	}
	if len(r.violations) > 0 || ctx.Err() != nil {
		os.Exit(1)
	}
}

// connect returns a client for the service in the environment variables, or for
// the embedded one.
func connect() (*practice.Client, error) {
	if os.Getenv("PRACTICE_BASE_URL") == "" {
		service, err := practicetest.Start()
		if err != nil {
			return nil, err
		}
		return service.NewClient()
	}
	access := practice.WithAccessToken(os.Getenv("PRACTICE_ACCESS_TOKEN"))
	if secret := os.Getenv("PRACTICE_CLIENT_SECRET"); secret != "" {
		access = practice.WithTokens(auth.ClientCredentials{
			TokenURL: os.Getenv("PRACTICE_TOKEN_URL"), ClientID: os.Getenv("PRACTICE_CLIENT_ID"), ClientSecret: models.NewSecret(secret),
		})
	}
	return practice.NewClient(os.Getenv("PRACTICE_BASE_URL"),
		practice.WithAPIKey(os.Getenv("PRACTICE_API_KEY")), access, practice.WithRateLimit(5, 5))
}

// print writes a line for each operation, followed by the violations.
func (r *reading) print(out io.Writer) error {
	counts := map[outcome]int{}
	for _, l := range r.lines {
		counts[l.outcome]++
		status := "-"
		if l.status > 0 {
			status = strconv.Itoa(l.status)
		}
		if _, err := fmt.Fprintf(out, "%-34.34s %3s %7d  %s\n", l.operation, status, l.records, l.outcome); err != nil {
			return err
		}
	}
	if _, err := fmt.Fprintf(out, "\n%d operations: %d as described, %d not, %d refused, %d without a record.\n",
		len(r.lines), counts[asDescribed], counts[notAsDescribed], counts[refused], counts[noRecord]); err != nil {
		return err
	}
	for _, v := range r.violations {
		if _, err := fmt.Fprintf(out, "%s: %s\n", v.operation, v.rule); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintln(out, "\nNext: report what is not as described, with this output. It holds no data.")
	return err
}
