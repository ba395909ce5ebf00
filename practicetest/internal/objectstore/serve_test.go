package objectstore

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestRangesOfADownload(t *testing.T) {
	t.Parallel()
	f := newStorageFixture(t)
	f.Put("k", []byte("0123456789"))
	f.Put("empty", nil)
	tests := map[string]struct {
		key, header string
		status      int
		body        string
		content     string // Content-Range header
	}{
		"none":                     {"k", "", 200, "0123456789", ""},
		"from and to":              {"k", "bytes=2-4", 206, "234", "bytes 2-4/10"},
		"one byte":                 {"k", "bytes=9-9", 206, "9", "bytes 9-9/10"},
		"to the end":               {"k", "bytes=7-", 206, "789", "bytes 7-9/10"},
		"the whole as a range":     {"k", "bytes=0-", 206, "0123456789", "bytes 0-9/10"},
		"beyond the end":           {"k", "bytes=8-99", 206, "89", "bytes 8-9/10"},
		"the last bytes":           {"k", "bytes=-3", 206, "789", "bytes 7-9/10"},
		"more last bytes than any": {"k", "bytes=-30", 206, "0123456789", "bytes 0-9/10"},
		"begins at the end":        {"k", "bytes=10-", 416, "", "bytes */10"},
		"no last bytes":            {"k", "bytes=-0", 416, "", "bytes */10"},
		"of nothing":               {"empty", "bytes=0-", 416, "", "bytes */0"},
		"last bytes of nothing":    {"empty", "bytes=-1", 416, "", "bytes */0"},
		"nothing":                  {"empty", "", 200, "", ""},
		"several":                  {"k", "bytes=0-1,4-5", 200, "0123456789", ""},
		"backwards":                {"k", "bytes=4-2", 200, "0123456789", ""},
		"another unit":             {"k", "lines=1-2", 200, "0123456789", ""},
		"not a number":             {"k", "bytes=a-b", 200, "0123456789", ""},
		"a sign":                   {"k", "bytes=+1-2", 200, "0123456789", ""},
		"a negative end":           {"k", "bytes=1--2", 200, "0123456789", ""},
		"a suffix that is no number": {
			"k", "bytes=-x", 200, "0123456789", "",
		},
		"no dash": {"k", "bytes=5", 200, "0123456789", ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var headers []string
			if tt.header != "" {
				headers = append(headers, "Range: "+tt.header)
			}
			resp, body := f.do(t, "GET", f.address("GET", tt.key), nil, headers...)
			assert.Equal(t, tt.status, resp.StatusCode)
			assert.Equal(t, tt.content, resp.Header.Get("Content-Range"))
			if tt.status == http.StatusRequestedRangeNotSatisfiable {
				assert.Equal(t, "InvalidRange", errorCode(t, body))
				return
			}
			assert.Equal(t, tt.body, body)
			assert.EqualValues(t, len(tt.body), resp.ContentLength)
		})
	}
}

func TestADownloadOfAnotherVersionIsRefused(t *testing.T) {
	t.Parallel()
	f := newStorageFixture(t)
	old := f.Put("k", []byte("old"))
	current := f.Put("k", []byte("new"))
	tests := map[string]struct {
		header string
		status int
	}{
		"the version at hand": {current, 206},
		"an older one":        {old, 412},
		"any":                 {"*", 206},
		"one of several":      {old + ", " + current, 206},
		"a weak one":          {"W/" + current, 412},
		"no quotes":           {"x", 412},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			resp, body := f.do(t, "GET", f.address("GET", "k"), nil, "Range: bytes=1-", "If-Match: "+tt.header)
			assert.Equal(t, tt.status, resp.StatusCode)
			if tt.status == http.StatusPreconditionFailed {
				assert.Equal(t, "PreconditionFailed", errorCode(t, body))
			} else {
				assert.Equal(t, "ew", body)
			}
		})
	}
	assert.Empty(t, f.violations)
}

func FuzzParseRange(f *testing.F) {
	for _, header := range []string{"", "bytes=0-0", "bytes=-5", "bytes=5-", "bytes=9-1", "bytes=0-1,2-3", "bytes=-"} {
		f.Add(header, int64(10))
	}
	f.Fuzz(func(t *testing.T, header string, size int64) {
		size = max(size, -size, 0)
		from, n, kind := parseRange(header, size)
		switch kind {
		case rangeWhole:
			assert.Equal(t, []int64{0, size}, []int64{from, n})
		case rangeGiven:
			assert.Positive(t, n)
			assert.GreaterOrEqual(t, from, int64(0))
			assert.LessOrEqual(t, from, size-n)
		case rangeBeyond:
			assert.Zero(t, n)
		}
	})
}
