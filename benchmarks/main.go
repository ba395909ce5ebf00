// Command benchmarks compares the library with its alternatives, alternating
// between them. Run it from the root of the repository:
//
//	go run ./benchmarks                all tables; writes benchmarks/RESULTS.md
//	go run ./benchmarks -only call     one table
//	go run ./benchmarks -quick         a functional test without meaningful figures
//	go run ./benchmarks -check         fails if a required figure is missed by more than a tenth, twice
//
// Only ratios within one run are meaningful.
package main

import (
	_ "embed"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/practicesdk/practice-go/benchmarks/internal/feed"
	"github.com/practicesdk/practice-go/benchmarks/internal/report"
)

func main() {
	if err := start(os.Args[1:], os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "benchmarks:", err)
		os.Exit(1)
	}
}

func start(args []string, in io.Reader, out io.Writer) error {
	if len(args) == 2 && args[0] == storeChild {
		return serveStore(args[1], in, out)
	}
	return benchmarks(args, out, tables)
}

func benchmarks(args []string, out io.Writer, all []table) error {
	flags := flag.NewFlagSet("benchmarks", flag.ContinueOnError)
	quick := flags.Bool("quick", false, "run everything once and write no file: for function, not for figures")
	only := flags.String("only", "", "run one table and write no file: "+names(all))
	path := flags.String("out", "benchmarks/RESULTS.md", "file for the results of a full run")
	checked := flags.Bool("check", false, "write no file, measure tables anew that miss a required figure by more than a tenth, and fail if they do so again")
	if err := flags.Parse(args); err != nil {
		return err
	}
	chosen, err := choice(all, *only)
	if err != nil {
		return err
	}
	answers, err := feed.Capture()
	if err != nil {
		return err
	}
	r := run{quick: *quick, answers: answers}
	if *checked {
		return check(r, chosen, out)
	}
	done, err := measureAll(r, chosen, out)
	if err != nil || *quick || *only != "" {
		return err
	}
	return save(*path, done)
}

func names(all []table) string {
	list := make([]string, len(all))
	for i, t := range all {
		list[i] = t.name
	}
	return strings.Join(list, ", ")
}

func choice(all []table, only string) ([]table, error) {
	if only == "" {
		return all, nil
	}
	for _, t := range all {
		if t.name == only {
			return []table{t}, nil
		}
	}
	return nil, fmt.Errorf("no table %q, only %s", only, names(all))
}

// measureAll measures the tables and prints each as soon as it is done.
func measureAll(r run, chosen []table, out io.Writer) ([]report.Table, error) {
	if r.quick {
		if _, err := fmt.Fprint(out, "A quick run: the numbers below mean nothing.\n\n"); err != nil {
			return nil, err
		}
	}
	done := make([]report.Table, len(chosen))
	for i, t := range chosen {
		var err error
		if done[i], err = t.measure(r); err != nil {
			return nil, fmt.Errorf("%s: %w", t.name, err)
		}
		if err := done[i].Write(out); err != nil {
			return nil, err
		}
	}
	return done, nil
}

func save(path string, done []report.Table) error {
	var document strings.Builder
	if err := report.Document(&document, "go run ./benchmarks", commit(), goMod, peers, done); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(document.String()), 0o644) //nolint:gosec // results are for everybody
}

//go:embed go.mod
var goMod string

// peers lists the modules whose versions the results contain.
var peers = []string{
	"github.com/ogen-go/ogen",
	"github.com/goccy/go-json",
	"github.com/bytedance/sonic",
}
