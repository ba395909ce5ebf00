package practicetest

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

// serveGet answers with an object, or with the range of it that was asked for.
func (s *objectStore) serveGet(w http.ResponseWriter, r *http.Request, a signedAddress) *storageFault {
	found, ok := s.lookup(a.key)
	if !ok {
		return &storageFault{
			status: http.StatusNotFound, Code: "NoSuchKey", Message: "The specified key does not exist.", Key: a.key,
		}
	}
	if wanted := r.Header.Get("If-Match"); wanted != "" && !matches(wanted, found.etag) {
		return &storageFault{
			status: http.StatusPreconditionFailed, Code: "PreconditionFailed",
			Message: "At least one of the pre-conditions you specified did not hold.",
		}
	}
	size := found.content.length()
	from, n, kind := parseRange(r.Header.Get("Range"), size)
	h := w.Header()
	if kind == rangeBeyond {
		h.Set("Content-Range", fmt.Sprintf("bytes */%d", size))
		return &storageFault{
			status: http.StatusRequestedRangeNotSatisfiable, Code: "InvalidRange",
			Message: "The requested range is not satisfiable.",
		}
	}
	h.Set("Accept-Ranges", "bytes")
	h.Set("ETag", found.etag)
	h.Set("Last-Modified", found.written.UTC().Format(http.TimeFormat))
	h.Set("Content-Type", "application/octet-stream")
	h.Set("Content-Length", strconv.FormatInt(n, 10))
	if a.disposition != "" {
		h.Set("Content-Disposition", a.disposition)
	}
	status := http.StatusOK
	if kind == rangeGiven {
		h.Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", from, from+n-1, size))
		status = http.StatusPartialContent
	}
	w.WriteHeader(status)
	_ = found.content.send(w, from, n) // fails only when the client has left
	return nil
}

func matches(wanted, etag string) bool {
	for one := range strings.SplitSeq(wanted, ",") {
		if one = strings.TrimSpace(one); one == "*" || one == etag {
			return true
		}
	}
	return false
}
