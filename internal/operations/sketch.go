package operations

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	practice "github.com/practicesdk/practice-go"
)

// Sketch describes the request of the successful call.
type Sketch struct {
	Method string
	// Path and Rest are the names of the facts, such as MEMO_ID, that the call
	// requires: those in the path, in order, and those in the body. Facts in
	// the query are optional.
	Path, Rest []string
	// Record is the name of the fact at the end of the path, or "" if the path
	// does not end with one.
	Record string
}

var errSketched = errors.New("operations: the request is not sent")

// Sketch returns the sketch of an operation. It makes the successful call for a
// firm with recognisable ids, without sending it, and finds these ids in the
// request.
func (o Operation) Sketch(ctx context.Context) (Sketch, error) {
	var (
		sketch Sketch
		body   []byte
		path   string
	)
	client, err := practice.NewClient("https://practice.invalid", practice.WithAPIKey("key"), practice.WithAccessToken("token"),
		practice.WithRetries(0), practice.WithHTTPClient(&http.Client{Transport: transport(func(r *http.Request) error {
			sketch.Method, path = r.Method, r.URL.Path
			if r.Body != nil {
				var err error
				if body, err = io.ReadAll(r.Body); err != nil {
					return err
				}
			}
			return errSketched
		})}))
	if err != nil {
		return Sketch{}, err
	}
	marks := map[string]string{}
	firm := FirmOf(func(name string) string {
		marks[name] = fmt.Sprintf("00000000-0000-4000-8000-%012d", len(marks)+1)
		return marks[name]
	})
	if err := o.Call(ctx, client, firm); !errors.Is(err, errSketched) {
		return Sketch{}, fmt.Errorf("operations: %s did not send a request: %w", o.Name, err)
	}
	for name, mark := range marks {
		switch {
		case strings.Contains(path, mark):
			sketch.Path = append(sketch.Path, name)
		case strings.Contains(string(body), mark):
			sketch.Rest = append(sketch.Rest, name)
		}
	}
	slices.SortFunc(sketch.Path, func(a, b string) int { return strings.Index(path, marks[a]) - strings.Index(path, marks[b]) })
	slices.Sort(sketch.Rest)
	if last := len(sketch.Path) - 1; last >= 0 && strings.HasSuffix(path, marks[sketch.Path[last]]) {
		sketch.Record = sketch.Path[last]
	}
	return sketch, nil
}

type transport func(*http.Request) error

func (f transport) RoundTrip(r *http.Request) (*http.Response, error) { return nil, f(r) }
