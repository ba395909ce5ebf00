// Keep-a-copy keeps a copy of a firm's records in SQLite, and prints three
// reports from it. docs/replica.md describes the tables.
//
//	go run ./examples/keep-a-copy
//
// It copies the embedded service into a temporary file. With a file that remains,
// you can kill the program at any time: the next run continues, and reads only
// what has changed. It writes nothing to the service.
package main

import (
	"context"
	"database/sql"
	"fmt"
	"log"
	"os"

	_ "modernc.org/sqlite" // SQLite driver in pure Go

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/practicetest"
	"github.com/practicesdk/practice-go/replica"
)

// reports are queries for lines and their order.
var reports = []struct{ title, query string }{
	{"Time that is not billed, by matter", `SELECT printf('%-14s %12.2f  %.48s', matter_number, SUM(amount_e4) / 10000.0, client_names) AS line,
		-SUM(amount_e4) AS place FROM fees WHERE invoice_id IS NULL AND is_billable GROUP BY matter_id`},
	{"The next seven days", `SELECT printf('%s %s  %.24s', start_time, time_zone, subject) AS line,
		start_time AS place FROM events WHERE date(start_time) BETWEEN date('now') AND date('now', '+7 days')`},
	{"Changed since yesterday", `SELECT printf('%-24s %-10s %6d', kind, what, count(*)) AS line,
		kind AS place FROM changes WHERE at > (unixepoch('now') - 86400) * 1000000000 GROUP BY kind, what`},
}

func main() {
	if err := run(context.Background()); err != nil {
		log.Fatal(err)
	}
	fmt.Println("Next: copy your own firm: create its client as examples/first does.")
}

func run(ctx context.Context) error {
	service, err := practicetest.Start() // an embedded service
	if err != nil {
		return err
	}
	defer func() { _ = service.Close() }()
	client, err := service.NewClient()
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "copy-") // only its owner can read the files in it; keep those of your firm
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	return keep(ctx, client, dir+"/firm.db")
}

// keep brings the copy in a file up to date, and prints the reports.
func keep(ctx context.Context, client *practice.Client, file string) error {
	db, err := sql.Open("sqlite", "file:"+file+"?_pragma=busy_timeout(20000)&_pragma=journal_mode(wal)&_txlock=immediate")
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }()
	copied, err := replica.Open(ctx, db, client, replica.Options{})
	if err == nil {
		err = copied.Sync(ctx)
	}
	for i := 0; err == nil && i < len(reports); i++ {
		var text string
		err = db.QueryRowContext(ctx, `SELECT coalesce(group_concat(line, char(10) ORDER BY place), 'none') FROM (`+reports[i].query+`)`).Scan(&text)
		fmt.Printf("%s\n%s\n\n", reports[i].title, text)
	}
	return err
}
