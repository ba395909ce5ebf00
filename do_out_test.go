package practice_test

import (
	"fmt"
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/models"
)

type (
	// EmbedsItself has a field beside itself.
	EmbedsItself struct {
		*EmbedsItself
		Name string `json:"name"`
	}
	// ItselfOnly has nothing to fill, however deep one looks.
	ItselfOnly  struct{ *ItselfOnly }
	holdsItself struct {
		Name  string
		Next  *holdsItself
		Many  []holdsItself
		Named map[string]*holdsItself
	}
)

func TestAnOutThatCannotBeFilledIsRefusedBeforeAnythingIsSent(t *testing.T) {
	t.Parallel()
	type wide struct {
		Err   error    `json:"err"`
		Stop  chan int `json:"-"`
		stop  func()   //nolint:unused // encoding/json leaves it out
		Dates []time.Time
		By    map[time.Time]*models.Decimal
	}
	for _, test := range []struct {
		rule string
		out  any
		sent bool
	}{
		{"a key that is no name", new(map[bool]string), false},
		{"a key that is a list", new(map[[2]int]string), false},
		{"functions in a map", new(map[string]func()), false},
		{"channels in a list", new([]chan int), false},
		{"a channel in a field", new(struct{ A chan int }), false},
		{"a channel in a field of a field", new(struct{ A struct{ B *[]chan int } }), false},
		{"interfaces with methods in a map", new(map[string]io.Reader), false},
		{"complex numbers", new([2]complex64), false},
		{"a struct that embeds itself only", new(ItselfOnly), false},
		{"a struct that embeds itself", new(EmbedsItself), true},
		{"a struct that holds itself", new(holdsItself), true},
		{"keys that are numbers", new(map[int8]any), true},
		{"anything in a list", new([]any), true},
		{"what is left out, and an interface that may hold a pointer", new(wide), true},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			sent := false
			client, err := practice.NewClient("https://api.example.test/v1", practice.WithoutCredentials(), practice.WithHTTPClient(&http.Client{
				Transport: testkit.RoundTripper(func(*http.Request) (*http.Response, error) {
					sent = true
					return testkit.AnswerOf(204, ""), nil
				}),
			}))
			require.NoError(t, err)
			err = client.Do(t.Context(), practice.Request{Method: http.MethodPost, Path: "/x"}, test.out)
			assert.Equal(t, test.sent, sent, fmt.Sprint(err))
			assert.Equal(t, test.sent, err == nil)
		})
	}
}
