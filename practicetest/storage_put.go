package practicetest

import "net/http"

// servePut stores a body, if all of it comes.
func (s *objectStore) servePut(w http.ResponseWriter, r *http.Request, a signedAddress) *storageFault {
	c, err := receive(r.Body, r.ContentLength)
	if err != nil {
		return &storageFault{
			status: http.StatusBadRequest, Code: "IncompleteBody",
			Message: "You did not provide the number of bytes specified by the Content-Length HTTP header.",
		}
	}
	etag := s.store(a.key, c)
	if s.onPut != nil {
		s.onPut(a.key, c.length())
	}
	w.Header().Set("ETag", etag)
	w.Header().Set("Content-Length", "0")
	w.WriteHeader(http.StatusOK)
	return nil
}
