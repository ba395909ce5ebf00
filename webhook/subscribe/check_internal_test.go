package subscribe

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/models"
)

// response is one of the responses of a service that keeps no rule.
type response struct {
	name string
	answer
}

// responses returns what each request may be answered with.
func responses() map[verb][]response {
	of := func(id string, spec *Spec) models.WebhookSubscription {
		return models.WebhookSubscription{ID: id, Name: spec.Name, EventNotificationURL: spec.EventNotificationURL, EventTypes: spec.EventTypes}
	}
	found := func(name string, all ...models.WebhookSubscription) response {
		return response{name, answer{found: all}}
	}
	other := Spec{Name: "Other", EventNotificationURL: "https://other.example.test/"}
	refused := response{"refused", answer{err: errFault}}
	gone := response{"not found", answer{err: errFault, gone: true}}
	unknown := response{"no response", answer{err: errFault, unclear: true}}
	one := []response{
		found("nothing"), found("1", of("1", &ours)), found("1 of a former version", of("1", &former)), found("2", of("2", &ours)),
		found("without an id", of("", &ours)), found("1 for another purpose", of("1", &other)),
	}
	return map[verb][]response{
		list: {
			refused, gone, found("nothing"), found("1", of("1", &ours)), found("1 and 2", of("1", &former), of("2", &ours)),
			found("1 twice", of("1", &ours), of("1", &former)), found("without an id", of("", &ours)), found("others", of("3", &other)),
		},
		read:   append([]response{refused, gone}, one...),
		create: append([]response{refused, gone, unknown}, one...),
		update: append([]response{refused, gone, unknown}, one...),
		remove: {refused, gone, found("nothing"), found("1", of("1", &ours))},
	}
}

// Whatever responses a check gets, it ends after at most a dozen requests and
// one creation, and returns a report or an error.
func TestACheckEndsWhateverTheServiceReturns(t *testing.T) {
	t.Parallel()
	for name, last := range map[string]Check{
		"the first check": {}, "a later check": {ID: "1", At: time.Unix(1, 0)}, "a check after a failed one": {ID: "4", Unsure: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			spec := ours
			spec.LastCheck = last
			e := &every{responses: responses()}
			require.NoError(t, e.follow(newCheck(&spec, time.Unix(2, 0)), nil))
			assert.Greater(t, e.ends, 1000)
			t.Logf("%d sequences of at most %d requests", e.ends, e.longest)
		})
	}
}

// every follows all sequences of responses.
type every struct {
	responses     map[verb][]response
	ends, longest int
}

func (e *every) follow(c check, told []string) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = fmt.Errorf("%v after %s", value, strings.Join(told, ", "))
		}
	}()
	r := c.next()
	if r.verb == done {
		e.ends++
		e.longest = max(e.longest, len(told))
		if report, err := c.report(c.begun); report == nil && err == nil {
			return errors.New("neither a report nor an error after " + strings.Join(told, ", "))
		}
		return nil
	}
	if r.verb == create && strings.Contains(strings.Join(told, ", "), "create") {
		return errors.New("a second creation after " + strings.Join(told, ", "))
	}
	if len(told) == 12 {
		return errors.New("no end after " + strings.Join(told, ", "))
	}
	for _, a := range e.responses[r.verb] {
		if r.verb == read && len(a.found) > 0 && a.found[0].ID != r.id {
			continue // perform makes it an error
		}
		next := c
		next.learn(r, a.answer)
		step := fmt.Sprintf("%s %s: %s", [...]string{"done", "list", "read", "create", "update", "remove"}[r.verb], r.id, a.name)
		if err := e.follow(next, append(told[:len(told):len(told)], step)); err != nil {
			return err
		}
	}
	return nil
}
