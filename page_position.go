package practice

import (
	"encoding/hex"
	"hash/fnv"
	"io"
	"net/url"

	"github.com/practicesdk/practice-go/internal/paging"
)

// WalkPosition is where an All method stands, for [WithPosition]. A program that
// stores it, for example as JSON, need not know what its fields mean. The zero value
// is the beginning.
type WalkPosition struct {
	Method string `json:"method"`          // such as "Events.All"
	List   string `json:"list"`            // tells the list by a hash of ids and filters
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
	list := c.identity()
	c.check("WithPosition", reasonIf(at.Method != "" && at.Method != c.op.name, "is a position of "+at.Method))
	c.check("WithPosition", reasonIf(badOffset(at.Offset) != "" || at.Done < 0 || at.Size < 0 || err != nil, "is no position of a walk"))
	c.check("WithPosition", reasonIf(at.Method == c.op.name && at.List != list, "is of a list with other ids or filters"))
	if at.Method != "" {
		w.From = &paging.Mark{Position: paging.Position{Offset: at.Offset, Query: at.Query}, Done: at.Done, Size: at.Size}
	}
	w.Passed = func(mark paging.Mark) {
		*at = WalkPosition{c.op.name, list, mark.Offset, mark.Query, mark.Done, mark.Size}
	}
}

// identity tells the list from others of the method: its path, with the account, its
// filters, and the body of its request. It is a hash because a position is stored.
func (c *call) identity() string {
	hash := fnv.New128a()
	target := c.requestURL()
	for _, part := range []string{target.EscapedPath(), target.RawQuery, string(c.body)} {
		_, _ = io.WriteString(hash, part+"\n") // it cannot fail
	}
	return hex.EncodeToString(hash.Sum(nil))
}
