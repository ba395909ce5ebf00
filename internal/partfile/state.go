package partfile

import (
	"encoding/binary"
	"encoding/json"
	"hash/crc32"
	"io"
	"os"

	"github.com/practicesdk/practice-go/internal/intervals"
)

// State is the progress of a file.
type State struct {
	ETag    string               `json:"etag"` // version of the content
	Size    int64                `json:"size"` // size of the whole content in bytes
	Missing []intervals.Interval `json:"missing"`
}

// The state follows the last byte of content and is followed by a footer:
// magic, length and checksum.
const (
	magic      = 0x70617274_66696c65
	footerSize = 16
	maxState   = 64 << 10
)

func writeState(f *os.File, state State) error {
	text, err := json.Marshal(state)
	if err != nil {
		return err
	}
	b := binary.BigEndian.AppendUint64(text, magic)
	b = binary.BigEndian.AppendUint32(b, uint32(len(text)))
	b = binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(text))
	if _, err := f.WriteAt(b, state.Size); err != nil {
		return err
	}
	return f.Truncate(state.Size + int64(len(b)))
}

// readState returns the state at the end of a file of the given size, and false
// if there is none or it is damaged.
func readState(f io.ReaderAt, size int64) (State, bool) {
	if size < footerSize {
		return State{}, false
	}
	var footer [footerSize]byte
	if _, err := f.ReadAt(footer[:], size-footerSize); err != nil {
		return State{}, false
	}
	length := int64(binary.BigEndian.Uint32(footer[8:]))
	if binary.BigEndian.Uint64(footer[:]) != magic || length > maxState || length > size-footerSize {
		return State{}, false
	}
	text := make([]byte, length)
	at := size - footerSize - length
	if _, err := f.ReadAt(text, at); err != nil || crc32.ChecksumIEEE(text) != binary.BigEndian.Uint32(footer[12:]) {
		return State{}, false
	}
	var state State
	if json.Unmarshal(text, &state) != nil || state.Size != at || !state.valid() {
		return State{}, false
	}
	return state, true
}

// valid reports whether the spans are ordered and within the content. There
// must be at least one, because a state without spans would not be compared
// with the current content.
func (s State) valid() bool {
	at := int64(0)
	for _, m := range s.Missing {
		if m.From < at || m.To <= m.From || m.To > s.Size {
			return false
		}
		at = m.To
	}
	return s.ETag != "" && len(s.Missing) > 0
}
