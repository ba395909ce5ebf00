package paging_test

import (
	"net/url"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/paging"
)

func TestAParameterOfALinkIsReadAsABrowserDoes(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]url.Values{
		"":                    {},
		"&&":                  {},
		"a=1&b=2&a=3":         {"a": {"1", "3"}, "b": {"2"}},
		"a":                   {"a": {""}},
		"=1":                  {"": {"1"}},
		"a=1=2":               {"a": {"1=2"}},
		"a+b=c+d":             {"a b": {"c d"}},
		"a=x;y&b=2":           {"a": {"x;y"}, "b": {"2"}},
		"a;b=1":               {"a;b": {"1"}},
		"a=100%&b=2":          {"a": {"100%"}, "b": {"2"}},
		"a=%zz%41%4":          {"a": {"%zzA%4"}},
		"a=%%41":              {"a": {"%A"}},
		"%25=%3B%2B":          {"%": {";+"}},
		"a=%E2%82%AC":         {"a": {"€"}},
		"a=50%+off%20;%26&b=": {"a": {"50% off ;&"}, "b": {""}},
	} {
		assert.Equal(t, want, paging.LinkQuery(raw), raw)
	}
}

func TestAWalkKeepsEveryParameterOfALink(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{
		"status=Open;Closed": "status=Open%3BClosed",
		"share=100%":         "share=100%25",
		"a=%zz&b=1;2&c=3":    "a=%25zz&b=1%3B2&c=3",
	} {
		s := &service{pages: func(at paging.Position) *paging.Page {
			if at.Offset == 0 {
				return linked("/list?offset=2&"+raw, numbers(0, 2)...)
			}
			return page(3, numbers(2, 3)...)
		}}
		records, err := collect(t.Context(), s.walk())
		require.NoError(t, err, raw)
		assert.Equal(t, numbers(0, 3), records)
		assert.Equal(t, paging.Position{Offset: 2, Query: want}, s.asked[1])
	}
}

// FuzzLinkQuery checks that a link that net/url can parse is parsed to the same
// values.
func FuzzLinkQuery(f *testing.F) {
	f.Add("a=1&b=x;y&c=100%", "name", "value;%")
	f.Fuzz(func(t *testing.T, raw, name, value string) {
		read := paging.LinkQuery(raw)
		assert.Equal(t, read, paging.LinkQuery(read.Encode()), "it can be sent and read again")
		if standard, err := url.ParseQuery(raw); err == nil {
			assert.Equal(t, standard, read)
		}
		written := url.Values{name: {value}}
		assert.Equal(t, written, paging.LinkQuery(written.Encode()))
	})
}
