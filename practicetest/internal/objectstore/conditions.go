package objectstore

import (
	"net/http"
	"strings"
	"time"
)

// precondition evaluates the conditions of a download in the order of RFC 9110,
// section 13.2.2. It returns 200 when all of them hold.
func (o object) precondition(h http.Header) int {
	switch match, since := h.Get("If-Match"), h.Get("If-Unmodified-Since"); {
	case match != "" && !matches(match, o.etag), match == "" && o.modifiedAfter(since):
		return http.StatusPreconditionFailed
	}
	switch none, since := h.Get("If-None-Match"), h.Get("If-Modified-Since"); {
	case none != "" && matches(none, o.etag), none == "" && o.unmodifiedSince(since):
		return http.StatusNotModified
	}
	return http.StatusOK
}

// wantedRange returns the Range header, or nothing when If-Range names another
// version.
func (o object) wantedRange(h http.Header) string {
	switch version := h.Get("If-Range"); {
	case version == "", version == o.etag, version == o.lastModified():
		return h.Get("Range")
	default:
		return ""
	}
}

func (o object) lastModified() string { return o.written.UTC().Format(http.TimeFormat) }

// modifiedAfter is false for a date that cannot be read, as RFC 9110 wants it.
func (o object) modifiedAfter(date string) bool {
	t, err := http.ParseTime(date)
	return err == nil && o.written.Truncate(time.Second).After(t)
}

func (o object) unmodifiedSince(date string) bool {
	t, err := http.ParseTime(date)
	return err == nil && !o.written.Truncate(time.Second).After(t)
}

func matches(wanted, etag string) bool {
	for one := range strings.SplitSeq(wanted, ",") {
		if one = strings.TrimSpace(one); one == "*" || one == etag {
			return true
		}
	}
	return false
}
