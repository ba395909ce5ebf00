package replica

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
)

// Plan is an estimate of what a copy costs. Each list below a record is counted
// as one page, because only reading it shows how long it is.
type Plan struct {
	Lists     int           // firm-wide lists and lists below records
	First     int           // requests of the first copy
	FirstTime time.Duration // time that these requests take at the rate
	Day       int           // requests that Run sends in 24 hours if nothing changes
	Within    time.Duration // shortest Options.Within that the rate allows; 0 if it allows none
}

// Plan estimates what the copy costs at a rate of requests per second, from the
// size of the firm. It sends one request for each firm-wide list.
func (c *Copy) Plan(ctx context.Context, perSecond float64) (Plan, error) {
	if !(perSecond > 0) {
		return Plan{}, errors.New("replica: the rate must be greater than 0")
	}
	var pages, again, more, below int // of all lists; in each round; more in a round that reads all; lists below records
	sizes := map[string]int{}
	for _, k := range c.kinds {
		if k.below != "" {
			below += sizes[k.below]
			continue
		}
		if k.list == readFirm {
			sizes[k.name] = 1 // each round begins with it
			continue
		}
		size, err := c.size(ctx, k)
		if err != nil && !errors.Is(err, practice.ErrForbidden) && !errors.Is(err, practice.ErrUnauthorized) && !errors.Is(err, practice.ErrNotFound) {
			return Plan{}, fmt.Errorf("replica: %s: %w", k.name, err)
		}
		sizes[k.name] = size
		all := 1
		if k.listing.AnswerForm == practice.AnswerPages {
			all = max(1, (size+practice.MaxPageSize-1)/practice.MaxPageSize)
		}
		pages += all
		if k.since == "" {
			again += all
		} else {
			again, more = again+1, more+all-1
		}
	}
	const day = 24 * time.Hour
	rounds, wholes := day.Seconds()/c.options.Every.Seconds(), day.Seconds()/c.options.Whole.Seconds()
	firm := rounds*float64(1+again) + wholes*float64(more)
	p := Plan{
		Lists: len(sizes) + below, First: 1 + pages + below,
		Day: int(math.Ceil(firm + float64(below)*day.Seconds()/c.options.Within.Seconds())),
	}
	p.FirstTime = seconds(float64(p.First) / perSecond)
	if left := perSecond - firm/day.Seconds(); left > 0 {
		p.Within = seconds(float64(below) / left)
	}
	return p, nil
}

func seconds(n float64) time.Duration { return time.Duration(n * float64(time.Second)) }

// size returns the number of records in a list of the firm.
func (c *Copy) size(ctx context.Context, k *kind) (int, error) {
	if k.single() {
		return 1, nil
	}
	arguments := maps.Clone(k.arguments)
	if arguments == nil {
		arguments = map[string]any{}
	}
	if slices.ContainsFunc(k.listing.Parameters, func(p practice.Parameter) bool { return p.Name == "Limit" }) {
		arguments["Limit"] = 1
	}
	var page practice.Page[models.Object]
	if err := c.call(ctx, k.list, arguments, &page); err != nil {
		return 0, err
	}
	return max(page.Size.Or(0), len(page.Items)), nil
}
