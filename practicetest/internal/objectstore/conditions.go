package objectstore

import (
	"net/http"
	"strings"
	"time"
)

// precondition evaluates the conditional headers of a download in the order of
// RFC 9110, section 13.2.2. It returns 200 if all conditions hold, otherwise
// 304 or 412.
func (o object) precondition(h http.Header) int {
	switch match, since := h.Get("If-Match"), h.Get("If-Unmodified-Since"); {
	case match != "" && !matches(match, o.etag), match == "" && o.compared(since) > 0:
		return http.StatusPreconditionFailed
	}
	switch none, since := h.Get("If-None-Match"), h.Get("If-Modified-Since"); {
	case none != "" && matches(none, o.etag), none == "" && o.compared(since) < 0:
		return http.StatusNotModified
	}
	return http.StatusOK
}

// wantedRange returns the Range header, or "" if If-Range names another version
// of the object.
func (o object) wantedRange(h http.Header) string {
	switch version := h.Get("If-Range"); {
	case version == "", version == o.etag, version == o.lastModified():
		return h.Get("Range")
	default:
		return ""
	}
}

func (o object) lastModified() string { return o.written.UTC().Format(http.TimeFormat) }

// compared returns 1 if the object was modified after the date and -1 if not.
// It returns 0 for an invalid date, because RFC 9110 requires recipients to
// ignore it.
func (o object) compared(date string) int {
	t, err := http.ParseTime(date)
	switch {
	case err != nil:
		return 0
	case o.written.Truncate(time.Second).After(t):
		return 1
	default:
		return -1
	}
}

func matches(wanted, etag string) bool {
	for one := range strings.SplitSeq(wanted, ",") {
		if one = strings.TrimSpace(one); one == "*" || one == etag {
			return true
		}
	}
	return false
}
