package practice

import (
	"context"
	"iter"
	"net/http"

	"github.com/practicesdk/practice-go/models"
)

// DoAll yields every record of a list that has no method, from Offset on, and
// requests Limit of them per page. It is as sure of its end as any All method. The
// request is a GET without a body, and options say where it begins. A record is an
// object, which [models.Object.Decode] turns into a type of the caller; its member id
// tells it from the others.
func (c *Client) DoAll(ctx context.Context, request Request, options ListOptions, opts ...CallOption) iter.Seq2[models.Object, error] {
	name := "DoAll " + request.Path
	return paged(name, name, request.Path, textMember("id")).walk(ctx, c, requestedList{options, request}, opts)
}

// requestedList are the options of a list that has no method.
type requestedList struct {
	ListOptions
	request Request
}

func (l requestedList) filter(c *call) {
	c.request(l.request)
	c.check("Method", reasonIf(l.request.Method != http.MethodGet, "must be GET"))
	c.check("Body", reasonIf(l.request.Body != nil, "must be nil"))
	c.check("Query", reasonIf(hasName(l.request.Query, upperNames.Offset) || hasName(l.request.Query, upperNames.Limit), "must not hold the position: it is in the options"))
}
