package sandbox

import (
	"flag"
	"fmt"
	"iter"
	"strings"
	"time"

	"github.com/practicesdk/practice-go/practicetest"
)

// forms holds the flags for variations of the API.
type forms struct {
	consistency                 practicetest.Consistency
	rendering                   *practicetest.Rendering // nil: the seed chooses the rendering
	publicClient, earlyNotFound bool
	unpublished                 practicetest.Unpublished
	eventTypes, vendorMember    string
}

func (f *forms) declare(flags *flag.FlagSet) {
	flags.Func("consistency",
		"comma-separated `words` for how writes become visible: unkind (writes\n"+
			"overtake each other, lists lag, events arrive early or late), or\n"+
			"min-delay=, max-delay=, list-lag=, event-lead=, event-lag= with times;\n"+
			"pending-refused or pending-fails for references to records that are not\n"+
			"visible yet",
		func(text string) (err error) {
			f.consistency, err = consistencyOf(text)
			return err
		})
	flags.Func("rendering",
		"comma-separated `words` for how records are written: null, absent or full\n"+
			"for members without a value, rel for the older name of a relation,\n"+
			"unknown for members of a later release; default: depends on the seed",
		func(text string) error {
			r, err := renderingOf(text)
			if f.rendering = nil; text != "" {
				f.rendering = &r
			}
			return err
		})
	flags.Func("unpublished",
		"`word` for how to treat values that are not published: report (as a\nviolation, the default), warn or refuse",
		func(text string) (err error) {
			f.unpublished, err = unpublishedOf(text)
			return err
		})
	flags.BoolVar(&f.publicClient, "public-client", false, "the client has no secret and signs users in only with PKCE")
	flags.BoolVar(&f.earlyNotFound, "early-not-found", false, "return 404 for a change to a fee that does not exist")
	flags.StringVar(&f.eventTypes, "event-types", "", "additional comma-separated event `types` to subscribe to")
	flags.StringVar(&f.vendorMember, "vendor-member", "vendorId", "`name` of the member vendorId, including the prefix")
}

// options converts the flags to options of the service.
func (f *forms) options() []practicetest.Option {
	opts := []practicetest.Option{
		practicetest.WithPublicClient(f.publicClient), practicetest.WithEarlyNotFound(f.earlyNotFound),
		practicetest.WithVendorMember(f.vendorMember), practicetest.WithUnpublished(f.unpublished),
	}
	for name := range words(f.eventTypes) {
		opts = append(opts, practicetest.WithEventTypes(name))
	}
	if f.consistency != (practicetest.Consistency{}) {
		opts = append(opts, practicetest.WithConsistency(f.consistency))
	}
	if f.rendering != nil {
		opts = append(opts, practicetest.WithRendering(*f.rendering))
	}
	return opts
}

// words yields the words of a comma-separated list without their spaces; it
// skips empty ones.
func words(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for word := range strings.SplitSeq(text, ",") {
			if word = strings.TrimSpace(word); word != "" && !yield(word) {
				return
			}
		}
	}
}

// consistencyOf parses the value of -consistency. Explicit times override those
// of unkind, whatever their order.
func consistencyOf(text string) (c practicetest.Consistency, err error) {
	given := map[string]*time.Duration{
		"min-delay": &c.MinDelay, "max-delay": &c.MaxDelay, "list-lag": &c.ListLag, "event-lead": &c.EventLead, "event-lag": &c.EventLag,
	}
	for word := range words(text) {
		if word == "unkind" {
			c = practicetest.Unkind()
		}
	}
	for word := range words(text) {
		name, value, _ := strings.Cut(word, "=")
		switch into := given[name]; {
		case word == "unkind":
		case word == "pending-accepted":
			c.Pending = practicetest.PendingAccepted
		case word == "pending-refused":
			c.Pending = practicetest.PendingRefused
		case word == "pending-fails":
			c.Pending = practicetest.PendingFails
		case into == nil:
			return c, fmt.Errorf("unknown consistency %q", word)
		default:
			if *into, err = time.ParseDuration(value); err != nil {
				return c, fmt.Errorf("%s must be a duration such as 200ms, not %q", name, value)
			}
		}
	}
	return c, nil
}

func renderingOf(text string) (r practicetest.Rendering, err error) {
	empty := map[string]practicetest.EmptyMembers{"null": practicetest.EmptyNull, "absent": practicetest.EmptyAbsent, "full": practicetest.EmptyFull}
	for word := range words(text) {
		form, known := empty[word]
		switch {
		case known:
			r.Empty = form
		case word == "rel":
			r.Rel = true
		case word == "unknown":
			r.Unknown = true
		default:
			return r, fmt.Errorf("unknown rendering %q", word)
		}
	}
	return r, nil
}

func unpublishedOf(text string) (practicetest.Unpublished, error) {
	switch text {
	case "report":
		return practicetest.UnpublishedReported, nil
	case "warn":
		return practicetest.UnpublishedWarned, nil
	case "refuse":
		return practicetest.UnpublishedRefused, nil
	default:
		return 0, fmt.Errorf("must be report, warn or refuse, not %q", text)
	}
}
