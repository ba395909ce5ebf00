package objectstore

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

// serveGet answers with an object, or with the range of it that was asked for.
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
	_ = found.content.send(w, from, n) // fails only when the client has left
	return nil
}

// servePut stores a body, if all of it comes.
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

// rangeKind is the meaning of a Range header for an object.
type rangeKind int

const (
	rangeWhole  rangeKind = iota // none, several, or not understood: the whole object
	rangeGiven                   // one range that the object has
	rangeBeyond                  // one range that it has not
)

// parseRange reads a Range header for an object of the given size.
func parseRange(header string, size int64) (from, n int64, kind rangeKind) {
	spec, ok := strings.CutPrefix(header, "bytes=")
	first, last, dash := strings.Cut(strings.TrimSpace(spec), "-")
	if !ok || !dash {
		return 0, size, rangeWhole
	}
	if first == "" {
		return suffixRange(last, size)
	}
	from, err := position(first)
	if err != nil {
		return 0, size, rangeWhole
	}
	to := size - 1
	if last != "" {
		asked, err := position(last)
		if err != nil || asked < from {
			return 0, size, rangeWhole
		}
		to = min(asked, to)
	}
	if from >= size {
		return 0, 0, rangeBeyond
	}
	return from, to - from + 1, rangeGiven
}

func suffixRange(length string, size int64) (from, n int64, kind rangeKind) {
	n, err := position(length)
	switch {
	case err != nil:
		return 0, size, rangeWhole
	case n == 0 || size == 0:
		return 0, 0, rangeBeyond
	}
	n = min(n, size)
	return size - n, n, rangeGiven
}

// position reads an offset, digits only.
func position(s string) (int64, error) {
	if strings.HasPrefix(s, "+") || strings.HasPrefix(s, "-") {
		return 0, strconv.ErrSyntax
	}
	return strconv.ParseInt(s, 10, 64)
}
