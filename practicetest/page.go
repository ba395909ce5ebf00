package practicetest

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// page is the envelope of a page of a list: its position and links to other
// pages. The query of a link has the paging parameters in lower case and keeps
// the caller's filters.
type page struct {
	Href     string    `json:"href"`
	Relation *string   `json:"relation"`
	Method   string    `json:"method"`
	Self     *link     `json:"self"`
	ID       *string   `json:"id"`
	Offset   int       `json:"offset"`
	Limit    int       `json:"limit"`
	Size     int       `json:"size"`
	First    bareLink  `json:"first"`
	Previous *bareLink `json:"previous,omitempty"`
	Next     *bareLink `json:"next,omitempty"`
	Last     bareLink  `json:"last"`
}

func (c *call) page(offset, limit, size int, segments ...string) page {
	at := func(offset int) bareLink {
		if offset <= 0 {
			return bareLink{Href: c.pageAddress(segments)}
		}
		return bareLink{Rel: "collection", Href: c.pageAddress(segments,
			"limit="+strconv.Itoa(limit), "offset="+strconv.Itoa(offset))}
	}
	relation := "collection"
	p := page{
		Href: c.pageAddress(segments), Relation: &relation, Method: "GET",
		Offset: offset, Limit: limit, Size: size,
		First: at(0), Last: at((size - 1) / limit * limit),
	}
	if offset > 0 {
		p.Href = c.pageAddress(segments, "offset="+strconv.Itoa(offset), "limit="+strconv.Itoa(limit))
		p.Previous = &bareLink{Rel: "collection", Href: c.pageAddress(segments,
			"limit="+strconv.Itoa(limit), "offset="+strconv.Itoa(max(0, offset-limit)))}
	}
	if offset+limit < size {
		next := at(offset + limit)
		p.Next = &next
	}
	return p
}

// pageAddress returns the address of the list with the caller's filters,
// followed by the paging parameters in position.
func (c *call) pageAddress(segments []string, position ...string) string {
	var parts []string
	for i := range c.route.parameters {
		name := c.route.parameters[i].name
		if paging := c.route.page(); name == paging.offset || name == paging.limit {
			continue
		}
		for _, text := range c.queries[name] {
			parts = append(parts, url.QueryEscape(name)+"="+url.QueryEscape(text))
		}
	}
	address := c.link.href(segments...)
	if parts = append(parts, position...); len(parts) > 0 {
		address += "?" + strings.Join(parts, "&")
	}
	return address
}

// body encodes the page with the items, which are already encoded.
func (p page) body(items [][]byte) []byte { return withValue(p, items) }

// withValue encodes envelope with an additional member value that contains the
// items.
func withValue(envelope any, items [][]byte) []byte {
	outside := encode(envelope)
	return slices.Concat(outside[:len(outside)-1], []byte(`,"value":`), bareList(items), []byte("}"))
}

// slice returns the page of a list. It is empty beyond the end.
func slice[T any](all []T, offset, limit int) []T {
	from := min(offset, len(all))
	return all[from:min(from+limit, len(all))]
}

// collection is the envelope of a list without paging.
type collection struct {
	ID *string `json:"id"`
	head
}
