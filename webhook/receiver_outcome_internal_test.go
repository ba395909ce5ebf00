package webhook

import (
	"io"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestAnUnknownReasonIsNotTheSendersFault(t *testing.T) {
	t.Parallel()
	assert.Equal(t, 500, classify(io.ErrNoProgress).status)
}
