package objectstore

import (
	"fmt"
	"net/http"
	"regexp"
	"strconv"
)

// serveGet responds with an object or the requested range of it.
func (s *Store) serveGet(w http.ResponseWriter, r *http.Request, a signedAddress) *refusal {
	found, ok := s.lookup(a.key)
	if !ok {
		return &refusal{
			status: http.StatusNotFound, Code: "NoSuchKey", Message: "The specified key does not exist.", Key: a.key,
		}
	}
	h := w.Header()
	switch found.precondition(r.Header) {
	case http.StatusPreconditionFailed:
		return refuse(http.StatusPreconditionFailed, "PreconditionFailed", "At least one of the pre-conditions you specified did not hold.")
	case http.StatusNotModified:
		h.Set("ETag", found.etag)
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	size := found.content.length()
	from, n, kind := parseRange(found.wantedRange(r.Header), size)
	if kind == rangeBeyond {
		h.Set("Content-Range", fmt.Sprintf("bytes */%d", size))
		return refuse(http.StatusRequestedRangeNotSatisfiable, "InvalidRange", "The requested range is not satisfiable.")
	}
	h.Set("Accept-Ranges", "bytes")
	h.Set("ETag", found.etag)
	h.Set("Last-Modified", found.lastModified())
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
	_ = found.content.send(w, from, n) // fails only if the client has disconnected
	return nil
}

// servePut stores the request body. It refuses an incomplete one.
func (s *Store) servePut(w http.ResponseWriter, r *http.Request, a signedAddress) *refusal {
	c, err := receive(r.Body, r.ContentLength)
	if err != nil {
		return refuse(http.StatusBadRequest, "IncompleteBody", "You did not provide the number of bytes specified by the Content-Length HTTP header.")
	}
	etag := s.store(a.key, c)
	if s.OnPut != nil {
		s.OnPut(a.key, c.length())
	}
	w.Header().Set("ETag", etag)
	w.Header().Set("Content-Length", "0")
	w.WriteHeader(http.StatusOK)
	return nil
}

// rangeKind is the result of evaluating a Range header.
type rangeKind int

const (
	rangeWhole  rangeKind = iota // no range, several ranges or invalid syntax: send the whole object
	rangeGiven                   // a satisfiable range
	rangeBeyond                  // a range beyond the end of the object
)

var rangeForm = regexp.MustCompile(`^bytes=\s*(\d*)-(\d*)\s*$`)

// parseRange evaluates a Range header for an object of size bytes. It returns
// the offset and the length to send.
func parseRange(header string, size int64) (from, n int64, kind rangeKind) {
	ends := rangeForm.FindStringSubmatch(header)
	if ends == nil || ends[1]+ends[2] == "" {
		return 0, size, rangeWhole
	}
	first, err1 := strconv.ParseInt("0"+ends[1], 10, 64)
	last, err2 := strconv.ParseInt("0"+ends[2], 10, 64)
	switch {
	case err1 != nil || err2 != nil || ends[1] != "" && ends[2] != "" && last < first:
		return 0, size, rangeWhole
	case ends[1] == "": // suffix range: the last bytes
		first, last = max(0, size-last), size-1
	case ends[2] == "" || last >= size:
		last = size - 1
	}
	if first >= size {
		return 0, 0, rangeBeyond
	}
	return first, last - first + 1, rangeGiven
}
