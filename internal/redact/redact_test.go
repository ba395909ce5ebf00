package redact_test

import (
	"errors"
	"fmt"
	"net/url"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/redact"
)

func TestAnErrorLosesTheAddressAndKeepsTheCause(t *testing.T) {
	t.Parallel()
	cause := errors.New("connection refused")
	once := &url.Error{Op: "Get", URL: "https://files.example.test/a?signature=s3cret", Err: cause}
	for name, err := range map[string]error{
		"bare": cause, "wrapped": once, "wrapped twice": &url.Error{Op: "Put", URL: once.URL, Err: once},
		"inside of another": fmt.Errorf("of a proxy: %w", once),
	} {
		got := redact.Address(err)
		require.ErrorIs(t, got, cause, name)
		assert.NotContains(t, got.Error(), "s3cret", name)
	}
	assert.NoError(t, redact.Address(nil))
}
