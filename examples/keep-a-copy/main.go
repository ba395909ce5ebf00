// Keep-a-copy keeps a copy of a firm's records in a database, and prints three
// reports from it. After the first run, it requests only changed records.
//
//	go run ./examples/keep-a-copy [copy.db]
//
// You can kill it at any time; the same command continues. It writes nothing to
// the service. For the tables, see docs/replica.md. Without a file, it copies
// the embedded service, and deletes the copy when it ends.
package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log"
	"os"
	"os/signal"
	"path/filepath"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/replica"
)

// reports are queries with three columns each.
var reports = []struct{ title, query string }{
	{"Time that is not billed, by matter", `
		SELECT coalesce(matter_number, matter_title), coalesce(client_names, ''), printf('%.2f', SUM(amount_e4) / 10000.0) FROM fees
		WHERE invoice_id IS NULL AND is_billable = 1 GROUP BY matter_id ORDER BY SUM(amount_e4) DESC LIMIT 10`},
	{"The next seven days", `
		SELECT start_time, coalesce(time_zone, ''), coalesce(subject, '') FROM events
		WHERE date(start_time) BETWEEN date('now') AND date('now', '+7 days') ORDER BY start_time LIMIT 10`},
	{"Changed since yesterday", `
		SELECT kind, what, count(*) FROM changes WHERE at > (SELECT began FROM copy_source) - 86400000000000 GROUP BY kind, what ORDER BY kind, what`},
}

func main() {
	log.SetFlags(0)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	client, demo, err := connect()
	if err == nil && demo != nil {
		defer func() { _ = demo.Close() }() // its records end with the program
	}
	if err == nil {
		err = run(ctx, client, os.Args[1:], demo != nil)
	}
	if err != nil {
		log.Fatalf("%v\nWhat was stored stays, and the same command continues.", err)
	}
}

// run updates the copy in the named file, and prints the reports.
func run(ctx context.Context, client *practice.Client, files []string, demo bool) (err error) {
	if len(files) == 0 {
		if !demo {
			return errors.New("name a file for the copy")
		}
		dir, err := os.MkdirTemp("", "practice-copy-")
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
		files = []string{filepath.Join(dir, "copy.db")}
	}
	db, err := openDatabase(ctx, files[0])
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	copied, err := replica.Open(ctx, db, client, replica.Options{})
	if err != nil {
		return err
	}
	if err := copied.Sync(ctx); err != nil {
		return err
	}
	for _, report := range reports {
		fmt.Printf("\n%s\n", report.title)
		if err := show(ctx, db, report.query); err != nil {
			return err
		}
	}
	if demo {
		fmt.Println("\nNext: name a file, and set PRACTICE_BASE_URL to copy your firm.")
	}
	return nil
}

func show(ctx context.Context, db *sql.DB, query string) error {
	rows, err := db.QueryContext(ctx, query)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var a, b, c string
		if err := rows.Scan(&a, &b, &c); err != nil {
			return err
		}
		fmt.Printf("  %-24s %-24s %s\n", a, b, c)
	}
	return rows.Err()
}
