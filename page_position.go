package practice

import (
	"net/url"

	"github.com/practicesdk/practice-go/internal/paging"
)

// WalkPosition is where an All method stands, for [WithPosition]. A program that
// stores it, for example as JSON, need not know what its fields mean. The zero value
// is the beginning.
type WalkPosition struct {
	Method string `json:"method"`          // such as "Events.All"
	Offset int    `json:"offset"`          // of the page
	Query  string `json:"query,omitempty"` // what the service's link to the page has beside
	Done   int    `json:"done"`            // records of the page that were yielded
	Size   int    `json:"size,omitempty"`  // of the list, the largest that the service told; 0 when it told none
}

// resume takes the position of an earlier walk, and keeps that of this one.
func (c *call) resume(w *paging.Walk) {
	at := c.settings.position
	if at == nil {
		return
	}
	_, err := url.ParseQuery(at.Query)
	c.check("WithPosition", reasonIf(at.Method != "" && at.Method != c.op.name, "is a position of "+at.Method))
	c.check("WithPosition", reasonIf(badOffset(at.Offset) != "" || at.Done < 0 || at.Size < 0 || err != nil, "is no position of a walk"))
	if at.Method != "" {
		w.From = &paging.Mark{Position: paging.Position{Offset: at.Offset, Query: at.Query}, Done: at.Done, Size: at.Size}
	}
	w.Passed = func(mark paging.Mark) {
		*at = WalkPosition{c.op.name, mark.Offset, mark.Query, mark.Done, mark.Size}
	}
}
