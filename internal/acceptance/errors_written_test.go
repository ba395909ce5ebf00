package acceptance_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/auth"
	"github.com/practicesdk/practice-go/mirror"
)

// TestAnErrorIsItsTextWhateverWritesIt checks that every formatter and encoder
// writes only the text of an error, because fields such as bodies and headers
// may be confidential.
func TestAnErrorIsItsTextWhateverWritesIt(t *testing.T) {
	t.Parallel()
	cause, secret := errors.New("the cause"), []byte("confidential")
	isItsText(t, practice.Error{Operation: "Fees.Get", StatusCode: 404, Body: secret})
	isItsText(t, practice.NoAnswerError{Operation: "Fees.Get", Err: cause})
	isItsText(t, practice.AmbiguousWriteError{Operation: "Fees.Create", Err: cause})
	isItsText(t, practice.DecodeError{Operation: "Fees.Get", Body: secret, Err: cause})
	isItsText(t, practice.RecordError{Operation: "Fees.List", Raw: secret, Err: cause})
	isItsText(t, practice.PagingError{Operation: "Fees.All", Err: cause})
	isItsText(t, practice.FolderError{Err: cause})
	isItsText(t, practice.TransferError{Err: cause})
	isItsText(t, auth.TokenError{Code: "invalid_grant"})
	isItsText(t, mirror.Error{Operation: "Pull", Err: cause})
}

// isItsText checks an error as a value and as a pointer.
func isItsText[E any](t *testing.T, value E) {
	t.Helper()
	pointer, ok := any(&value).(error)
	require.True(t, ok, "%T is no error", value)
	for _, written := range []any{value, &value} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%d", "%5.1f"} {
			assert.Equal(t, pointer.Error(), fmt.Sprintf(verb, written), "%T with %s", written, verb)
		}
		text, err := json.Marshal(written)
		require.NoError(t, err)
		var read string
		require.NoError(t, json.Unmarshal(text, &read), "%T", written)
		assert.Equal(t, pointer.Error(), read)
	}
}
