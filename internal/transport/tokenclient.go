package transport

import (
	"bufio"
	"bytes"
	"io"
	"net/http"
)

// TokenClient returns the client for a token endpoint. It sends each request
// only once, because a request may use up a refresh token or a code, and it
// does not follow redirects. Its CloseIdleConnections calls closeIdle, if that
// is not nil.
func TokenClient(carrier http.RoundTripper, agent string, closeIdle func()) *http.Client {
	return &http.Client{
		Transport:     &tokenLink{next: SendOnce(carrier), agent: agent, closeIdle: closeIdle},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// tokenLink supplements OAuth libraries: it adds the User-Agent to a request to
// the token endpoint, and skips a byte order mark before the response.
type tokenLink struct {
	next      http.RoundTripper
	agent     string
	closeIdle func()
}

// CloseIdleConnections closes idle connections of the library's own transport.
func (l *tokenLink) CloseIdleConnections() {
	if l.closeIdle != nil {
		l.closeIdle()
	}
}

// ByteOrderMark precedes the responses of some services.
const ByteOrderMark = "\xef\xbb\xbf"

func (l *tokenLink) RoundTrip(req *http.Request) (*http.Response, error) {
	named := req.Clone(req.Context())
	named.Header.Set("User-Agent", l.agent)
	resp, err := l.next.RoundTrip(named)
	if err != nil || resp == nil || resp.Body == nil {
		return resp, err
	}
	text := bufio.NewReader(resp.Body)
	if start, _ := text.Peek(len(ByteOrderMark)); bytes.Equal(start, []byte(ByteOrderMark)) {
		_, _ = text.Discard(len(ByteOrderMark)) // the bytes were peeked before
	}
	resp.Body = struct {
		io.Reader
		io.Closer
	}{text, resp.Body}
	return resp, nil
}
