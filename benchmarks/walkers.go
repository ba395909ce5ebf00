package main

import (
	"context"
	"fmt"
	"net/http"
	"strconv"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/benchmarks/internal/feed"
	"github.com/practicesdk/practice-go/benchmarks/internal/peers/plain"
)

// walker visits every event of the calendar in order, in pages of limit, and
// passes the id of each to visit.
type walker struct {
	name string
	walk func(ctx context.Context, limit int, visit func(id string)) error
}

// practiceWalker keeps inFlight page requests in flight.
func practiceWalker(name string, memory http.RoundTripper, inFlight int, opts ...practice.ClientOption) (walker, error) {
	c, err := practice.NewClient(feed.BaseURL, append([]practice.ClientOption{
		practice.WithHTTPClient(&http.Client{Transport: memory}), practice.WithAPIKey(apiKey), practice.WithAccessToken(accessToken),
	}, opts...)...)
	return walker{name, func(ctx context.Context, limit int, visit func(string)) error {
		options := practice.EventListOptions{ListOptions: practice.ListOptions{Limit: limit}}
		for event, err := range c.Events.All(ctx, options, practice.WithPrefetch(inFlight-1)) {
			if err != nil {
				return err
			}
			visit(event.ID)
		}
		return nil
	}}, err
}

// netHTTPWalker is the page loop of a program without the library.
func netHTTPWalker(memory http.RoundTripper) walker {
	c := &http.Client{Transport: memory, Timeout: timeLimit}
	return walker{netHTTP, func(ctx context.Context, limit int, visit func(string)) error {
		for offset := 0; ; offset += limit {
			var page plain.EventPage
			address := feed.BaseURL + "/events?Limit=" + strconv.Itoa(limit) + "&Offset=" + strconv.Itoa(offset)
			if err := plainGet(ctx, c, address, &page); err != nil {
				return err
			}
			for i := range page.Value {
				visit(page.Value[i].ID)
			}
			if offset+limit >= page.Size {
				return nil
			}
		}
	}}
}

// counted runs a walk and checks that every event was visited once, in order.
func counted(w walker, size, limit int, after func(seen int)) error {
	seen := 0
	err := w.walk(context.Background(), limit, func(id string) {
		if number, err := strconv.Atoi(id[len(id)-12:]); err == nil && number == seen {
			seen++
			after(seen)
		}
	})
	if err == nil && seen != size {
		err = fmt.Errorf("%s: met %d of %d events in order", w.name, seen, size)
	}
	return err
}

func nothing(int) {}
