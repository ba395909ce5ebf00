package requestid_test

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/practicesdk/practice-go/requestid"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func key(b byte) []byte { return bytes.Repeat([]byte{b}, requestid.KeySize) }

func newSigner(tb testing.TB, current []byte, previous ...[]byte) *requestid.Signer {
	tb.Helper()
	s, err := requestid.NewSigner(current, previous...)
	require.NoError(tb, err)
	return s
}

func TestAnIDIsAUUIDOfVersion8(t *testing.T) {
	t.Parallel()
	id, err := uuid.Parse(newSigner(t, key(1)).NewRequestID())
	require.NoError(t, err)
	assert.Equal(t, uuid.Version(8), id.Version())
	assert.Equal(t, uuid.RFC4122, id.Variant())
}

func TestASignerRecognisesItsIDsOnEveryMachine(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		<-time.After(1234567 * time.Microsecond)
		id := newSigner(t, key(1)).NewRequestID()
		want := time.Now().UTC().Truncate(time.Millisecond)
		<-time.After(time.Hour)
		for _, text := range []string{id, strings.ToUpper(id)} {
			made, own := newSigner(t, key(1)).Verify(text)
			require.True(t, own)
			assert.Equal(t, want, made)
		}
	})
}

func TestIDsAreToldApartAndSortByTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		signer, seen, last := newSigner(t, key(1)), map[string]bool{}, ""
		for range 200 {
			id := signer.NewRequestID()
			require.False(t, seen[id])
			require.Greater(t, id, last)
			seen[id], last = true, id
			<-time.After(time.Millisecond)
		}
	})
}

func TestKeysAreRotatedWithoutLosingIDs(t *testing.T) {
	t.Parallel()
	before, during, after := newSigner(t, key(1)), newSigner(t, key(2), key(1)), newSigner(t, key(2))
	prepared := newSigner(t, key(1), key(2))
	for name, test := range map[string]struct {
		maker, reader *requestid.Signer
		own           bool
	}{
		"an old id during the rotation":      {before, during, true},
		"a new id during the rotation":       {during, during, true},
		"a new id where the old key signs":   {during, prepared, true},
		"a new id where the new key is lost": {during, before, false},
		"a new id after the rotation":        {during, after, true},
		"an old id after the rotation":       {before, after, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, own := test.reader.Verify(test.maker.NewRequestID())
			assert.Equal(t, test.own, own)
		})
	}
}

func TestAnIDWithAnyBitChangedIsForeign(t *testing.T) {
	t.Parallel()
	signer := newSigner(t, key(1), key(2))
	genuine := uuid.MustParse(signer.NewRequestID())
	for bit := range 8 * len(genuine) {
		id := genuine
		id[bit/8] ^= 0x80 >> (bit % 8)
		made, own := signer.Verify(id.String())
		assert.False(t, own, "bit %d", bit)
		assert.Zero(t, made)
	}
}

func TestOtherTextsAreForeign(t *testing.T) {
	t.Parallel()
	signer := newSigner(t, key(1))
	id := signer.NewRequestID()
	for name, text := range map[string]string{
		"nothing":             "",
		"a random id":         uuid.NewString(),
		"a time-ordered id":   uuid.Must(uuid.NewV7()).String(),
		"without hyphens":     strings.ReplaceAll(id, "-", ""),
		"in braces":           "{" + id + "}",
		"as a name":           "urn:uuid:" + id,
		"with a space":        id + " ",
		"hyphens elsewhere":   "-" + strings.Replace(id, "-", "", 1),
		"of another key":      newSigner(t, key(3)).NewRequestID(),
		"two ids":             id + "," + id,
		"a digit that is not": "g" + id[1:],
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, own := signer.Verify(text)
			assert.False(t, own)
		})
	}
}

func TestBadKeysAreRefused(t *testing.T) {
	t.Parallel()
	for name, keys := range map[string][2][]byte{
		"no key":               {nil, key(1)},
		"a short key":          {key(1)[1:], key(1)},
		"a long key":           {append(key(1), 1), key(1)},
		"a key of zeros":       {key(0), key(1)},
		"a short previous key": {key(1), key(1)[1:]},
		"an empty previous":    {key(1), {}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			signer, err := requestid.NewSigner(keys[0], keys[1])
			require.ErrorIs(t, err, requestid.ErrKey)
			assert.Nil(t, signer)
		})
	}
}

func TestKeysAreCopiedAndNeverShown(t *testing.T) {
	t.Parallel()
	secret := []byte("correct horse battery staple 123")
	signer := newSigner(t, secret)
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%x"} {
		text := fmt.Sprintf(verb, signer) + fmt.Sprintf(verb, *signer)
		assert.NotContains(t, text, "horse")
		assert.NotContains(t, text, hex.EncodeToString(secret[:8]))
		assert.NotContains(t, text, strings.Trim(fmt.Sprintf("%d", secret[:8]), "[]"))
	}
	id := signer.NewRequestID()
	clear(secret)
	_, own := signer.Verify(id)
	assert.True(t, own, "what the caller does with the key later does not matter")
}

func TestASignerIsForManyGoroutines(t *testing.T) {
	t.Parallel()
	signer := newSigner(t, key(1))
	var all sync.Map
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 200 {
				id := signer.NewRequestID()
				_, own := signer.Verify(id)
				assert.True(t, own)
				_, known := all.LoadOrStore(id, true)
				assert.False(t, known)
			}
		})
	}
	group.Wait()
}
