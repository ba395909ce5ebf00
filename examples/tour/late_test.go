package main

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/examples/internal/setup"
	"github.com/practicesdk/practice-go/examples/internal/term"
	"github.com/practicesdk/practice-go/models"
)

// TestTheTourHearsOfWritesThatFailLate makes a write that is accepted and has
// no effect.
func TestTheTourHearsOfWritesThatFailLate(t *testing.T) {
	t.Parallel()
	service, err := setup.Open(nothing, setup.Options{Program: "tour-test"})
	require.NoError(t, err)
	defer func() { assert.NoError(t, service.Close()) }()
	var out bytes.Buffer
	tour := &tour{Printer: term.New(&out, nothing), Service: service, writes: true}
	service.Server().FailWrite("patchFee", "The fee is finalized")
	f := service.Server().Firm()
	_, err = service.Client.Fees.Patch(t.Context(), f.MatterID, f.FeeID, models.FeePatch{Subject: models.Some("s")})
	require.NoError(t, err, "it is accepted")
	tour.tellLate()
	assert.Equal(t, 1, tour.failed)
	assert.Contains(t, out.String(), "FAILED LATE: fee "+f.FeeID)
	assert.Contains(t, out.String(), "The fee is finalized")
}
