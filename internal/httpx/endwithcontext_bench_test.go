package httpx

import (
	"bytes"
	"crypto/tls"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
)

// BenchmarkEndWithContext compares an exchange over HTTP/2 on this machine with
// and without a separate goroutine. A call to a remote service takes longer.
func BenchmarkEndWithContext(b *testing.B) {
	for _, size := range []int{1 << 10, 512 << 10} {
		body := bytes.Repeat([]byte("x"), size)
		server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(body) }))
		server.EnableHTTP2 = true
		server.StartTLS()
		b.Cleanup(server.Close)
		own := &http.Transport{ForceAttemptHTTP2: true, TLSClientConfig: &tls.Config{RootCAs: server.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs}}
		b.Cleanup(own.CloseIdleConnections)
		for _, link := range []http.RoundTripper{own, EndWithContext(own)} {
			b.Run(fmt.Sprintf("%d bytes/%T", size, link), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					req, err := http.NewRequestWithContext(b.Context(), http.MethodGet, server.URL, nil)
					if err != nil {
						b.Fatal(err)
					}
					resp, err := link.RoundTrip(req)
					if err != nil || resp.ProtoMajor != 2 {
						b.Fatal(resp, err)
					}
					if n, err := io.Copy(io.Discard, resp.Body); n != int64(size) || err != nil {
						b.Fatal(n, err)
					}
					_ = resp.Body.Close()
				}
			})
		}
	}
}
