package main

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"

	"github.com/practicesdk/practice-go/examples/internal/term"
)

// table prints the measurements, a row for each set of attributes.
func (o *observed) table(ctx context.Context) error {
	var all metricdata.ResourceMetrics
	if err := o.metrics.Collect(ctx, &all); err != nil {
		return err
	}
	t := &term.Table{Columns: []term.Column{{Name: "Metric"}, {Name: "Attributes"}, {Name: "Count", Right: true}, {Name: "Mean", Right: true}}}
	for _, scope := range all.ScopeMetrics {
		for _, m := range scope.Metrics {
			rows := rowsOf(m)
			slices.SortFunc(rows, slices.Compare)
			t.Rows = append(t.Rows, rows...)
		}
	}
	o.Table(t)
	return nil
}

func rowsOf(m metricdata.Metrics) (rows [][]string) {
	add := func(set attribute.Set, count, mean string) {
		rows = append(rows, []string{m.Name, labels(set), count, mean})
	}
	switch data := m.Data.(type) {
	case metricdata.Sum[int64]:
		for _, p := range data.DataPoints {
			if p.Value > 0 {
				add(p.Attributes, strconv.FormatInt(p.Value, 10), "")
			}
		}
	case metricdata.Histogram[int64]:
		for _, p := range data.DataPoints {
			add(p.Attributes, strconv.FormatUint(p.Count, 10), fmt.Sprintf("%.0f %s", float64(p.Sum)/float64(p.Count), m.Unit))
		}
	case metricdata.Histogram[float64]:
		for _, p := range data.DataPoints {
			add(p.Attributes, strconv.FormatUint(p.Count, 10), fmt.Sprintf("%.4f %s", p.Sum/float64(p.Count), m.Unit))
		}
	}
	return rows
}

// labels returns the values of the attributes, without constant ones.
func labels(set attribute.Set) string {
	var texts []string
	for _, a := range set.ToSlice() {
		switch a.Key {
		case "server.address", "server.port", "url.scheme":
		default:
			texts = append(texts, a.Value.String())
		}
	}
	return strings.Join(texts, "  ")
}
