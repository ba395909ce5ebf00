package testkit

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
)

// IsAmbiguous reports whether err is a practice.AmbiguousWriteError.
func IsAmbiguous(err error) bool {
	_, ok := errors.AsType[*practice.AmbiguousWriteError](err)
	return ok
}

// FailedTransfer returns the failed transfer in err, and checks the properties
// that all have.
func FailedTransfer(t *testing.T, err error, operation string) *practice.TransferError {
	t.Helper()
	failed, ok := errors.AsType[*practice.TransferError](err)
	require.True(t, ok, "%v", err)
	assert.Equal(t, operation, failed.Operation)
	assert.Contains(t, err.Error(), failed.FileID)
	for _, secret := range []string{"Signature", "Expires=", "?"} {
		assert.NotContains(t, fmt.Sprintf("%v %+v", err, failed), secret, "the address is a secret")
	}
	return failed
}

// IsArgumentError reports whether err is a practice.ArgumentError.
func IsArgumentError(err error) bool {
	_, ok := errors.AsType[*practice.ArgumentError](err)
	return ok
}

// RecordErrors returns the record errors that are joined in err.
func RecordErrors(err error) []*practice.RecordError {
	several, joined := err.(interface{ Unwrap() []error })
	if !joined {
		if one, ok := errors.AsType[*practice.RecordError](err); ok {
			return []*practice.RecordError{one}
		}
		return nil
	}
	var all []*practice.RecordError
	for _, one := range several.Unwrap() {
		all = append(all, RecordErrors(one)...)
	}
	return all
}
