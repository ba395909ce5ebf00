package requestid_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/practicesdk/practice-go/requestid"
)

// FuzzVerify compares Verify with a second implementation that works on the
// text of an id.
func FuzzVerify(f *testing.F) {
	signer := newSigner(f, key(1))
	f.Add(signer.NewRequestID(), false)
	f.Add(signer.NewRequestID(), true)
	f.Add("00000000-0000-8000-8000-000000000000", true)
	f.Add("ffffffff-ffff-8fff-bfff-ffffffffffff", true)
	f.Add("ffffffff-ffff-4fff-bfff-ffffffffffff", true)
	f.Add("{fffffff-ffff-8fff-bfff-ffffffffffff", true)
	f.Add("\xff", false)
	f.Fuzz(func(t *testing.T, text string, sign bool) {
		if sign {
			text = tagged(text)
		}
		made, own := signer.Verify(text)
		right := wellFormed(text) && strings.EqualFold(text, tagged(text))
		assert.Equal(t, right, own)
		if own {
			ms, err := hex.DecodeString("0000" + text[:8] + text[9:13])
			assert.NoError(t, err)
			assert.Equal(t, time.UnixMilli(int64(binary.BigEndian.Uint64(ms))).UTC(), made)
		} else {
			assert.Zero(t, made)
		}
	})
}

func wellFormed(text string) bool {
	if len(text) != 36 || text[14] != '8' || !strings.ContainsRune("89abAB", rune(text[19])) {
		return false
	}
	for i, c := range []byte(text) {
		if hyphen := i == 8 || i == 13 || i == 18 || i == 23; hyphen != (c == '-') {
			return false
		}
		if c != '-' && !strings.ContainsRune("0123456789abcdefABCDEF", rune(c)) {
			return false
		}
	}
	return true
}

// tagged returns the text with a valid tag: its last eleven digits, computed
// from the other ones.
func tagged(text string) string {
	if !wellFormed(text) {
		return text
	}
	rest, err := hex.DecodeString(strings.ReplaceAll(text[:25], "-", "") + "00000000000")
	if err != nil {
		return text
	}
	mac := hmac.New(sha256.New, key(1))
	mac.Write(append([]byte("practice-go RequestId v1\x00"), rest...))
	return text[:25] + hex.EncodeToString(mac.Sum(nil)[:6])[1:]
}

func BenchmarkNewRequestID(b *testing.B) {
	signer := newSigner(b, key(1))
	for b.Loop() {
		_ = signer.NewRequestID()
	}
}

func BenchmarkVerify(b *testing.B) {
	signer := newSigner(b, key(1))
	id := signer.NewRequestID()
	for b.Loop() {
		if _, own := signer.Verify(id); !own {
			b.Fatal("not own")
		}
	}
}

var _ interface {
	NewRequestID() string
	Verify(string) (time.Time, bool)
} = (*requestid.Signer)(nil)
