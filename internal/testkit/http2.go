package testkit

import (
	"context"
	"encoding/binary"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// Serve accepts connections until the test ends, and returns its address.
func Serve(t *testing.T, talk func(net.Conn)) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ended, end := context.WithCancel(context.Background())
	var all sync.WaitGroup
	all.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			all.Go(func() {
				defer context.AfterFunc(ended, func() { _ = conn.Close() })()
				talk(conn)
				_ = conn.Close()
			})
		}
	})
	t.Cleanup(func() {
		_ = listener.Close()
		end() // also closes a connection that is just being accepted
		all.Wait()
	})
	return "http://" + listener.Addr().String()
}

// HTTP2Transport returns a transport that uses HTTP/2 only.
func HTTP2Transport() *http.Transport {
	own := &http.Transport{Protocols: new(http.Protocols)}
	own.Protocols.SetUnencryptedHTTP2(true)
	return own
}

// Frames of HTTP/2.
const (
	FrameData     = 0
	FrameHeaders  = 1
	FrameReset    = 3
	FrameSettings = 4
)

// Flags of frames.
const (
	FlagEndStream  = 1 // for HEADERS and DATA frames
	FlagAck        = 1 // for SETTINGS frames
	FlagEndHeaders = 4
)

// HTTP2Stream writes frames of one stream.
type HTTP2Stream struct {
	conn   net.Conn
	number uint32
}

// Write writes a frame. It ignores errors, since the client may have closed the
// connection.
func (s HTTP2Stream) Write(kind, flags byte, payload ...byte) {
	header := binary.BigEndian.AppendUint32(nil, uint32(len(payload))<<8|uint32(kind))
	header = append(header, flags)
	header = binary.BigEndian.AppendUint32(header, s.number)
	_, _ = s.conn.Write(append(header, payload...))
}

// SpeakHTTP2 reads the requests of a connection, and calls frame for each frame
// of headers or data. last is set for the frame that ends a request.
func SpeakHTTP2(conn net.Conn, frame func(stream HTTP2Stream, kind byte, last bool)) {
	preface := make([]byte, len("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"))
	if _, err := io.ReadFull(conn, preface); err != nil || !strings.HasPrefix(string(preface), "PRI") {
		return
	}
	HTTP2Stream{conn, 0}.Write(FrameSettings, 0)
	for {
		header := make([]byte, 9)
		if _, err := io.ReadFull(conn, header); err != nil {
			return
		}
		if _, err := io.CopyN(io.Discard, conn, int64(binary.BigEndian.Uint32(header)>>8)); err != nil {
			return
		}
		stream := HTTP2Stream{conn, binary.BigEndian.Uint32(header[5:])}
		switch kind, flags := header[3], header[4]; {
		case kind == FrameSettings && flags&FlagAck == 0:
			stream.Write(FrameSettings, FlagAck)
		case kind == FrameHeaders || kind == FrameData:
			frame(stream, kind, flags&FlagEndStream != 0)
		}
	}
}
