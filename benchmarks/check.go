package main

import (
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"

	"github.com/practicesdk/practice-go/benchmarks/internal/report"
)

// check measures the tables, and those again that miss a required figure by
// more than a tenth. The error names the figures that are missed in both runs.
func check(r run, chosen []table, out io.Writer) error {
	var missed []error
	for _, t := range chosen {
		first, err := missedByFar(r, t, out)
		if err != nil {
			return err
		}
		if len(first) == 0 {
			continue
		}
		second, err := missedByFar(r, t, out)
		if err != nil {
			return err
		}
		for name, figure := range second {
			if _, twice := first[name]; twice {
				missed = append(missed, fmt.Errorf("%s: %s is %.2f%s, required is %v%s",
					t.name, name, figure.Measured, figure.Unit, figure.Required, figure.Unit))
			}
		}
	}
	return errors.Join(missed...)
}

func missedByFar(r run, t table, out io.Writer) (map[string]report.Figure, error) {
	done, err := measureAll(r, []table{t}, out)
	if err != nil {
		return nil, err
	}
	missed := make(map[string]report.Figure)
	for _, figure := range done[0].Figures {
		if figure.MissedByFar() {
			missed[figure.Name] = figure
		}
	}
	return missed, nil
}

// commit returns the commit of the working directory, with a plus sign if files
// differ from it.
func commit() string {
	id, err := exec.Command("git", "rev-parse", "--short=12", "HEAD").Output()
	if err != nil {
		return "unknown"
	}
	differs := exec.Command("git", "diff", "--quiet", "HEAD", "--", "*.go", "*.mod").Run()
	if differs != nil {
		return strings.TrimSpace(string(id)) + "+"
	}
	return strings.TrimSpace(string(id))
}
