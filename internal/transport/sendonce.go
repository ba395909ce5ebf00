package transport

import "net/http"

// SendOnce returns a transport for requests outside of calls. It prevents
// net/http from repeating a request once its header was written.
func SendOnce(next http.RoundTripper) http.RoundTripper { return &sendOnce{next} }

type sendOnce struct{ next http.RoundTripper }

func (l *sendOnce) RoundTrip(req *http.Request) (*http.Response, error) {
	watched, d := watch(req, Create)
	resp, err := l.next.RoundTrip(d.guardBody(watched, untraced))
	if resp == nil && err == nil {
		err = errNoAnswer
	}
	if err != nil {
		err = contextCause(watched.Context(), err)
		d.cancel(nil)
		return nil, err
	}
	if resp.Body == nil { // a caller's transport may leave it nil
		resp.Body = http.NoBody
	}
	resp.Body = &limitedBody{ReadCloser: resp.Body, ctx: watched.Context(), end: func() { d.cancel(nil) }}
	return resp, nil
}
