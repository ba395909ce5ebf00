package models

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// TestAMissingZoneDatabaseIsNamed replaces the loader of zones, because a
// machine that runs tests has a database.
func TestAMissingZoneDatabaseIsNamed(t *testing.T) {
	t.Parallel()
	unknown := errors.New("unknown time zone")
	for name, test := range map[string]struct {
		londonFails error
		named       bool
	}{
		"no zone is known":         {unknown, true},
		"only this one is unknown": {nil, false},
	} {
		cause := zoneCause(unknown, func(string) (*time.Location, error) { return time.UTC, test.londonFails })
		err := &ZoneError{Kind: ZoneErrorUnknownZone, Zone: "Australia/Sydney", Err: cause}
		assert.ErrorIs(t, err, unknown, name)
		assert.Equal(t, test.named, errors.Is(err, errNoZones), name)
		if test.named {
			assert.ErrorContains(t, err, "import time/tzdata", name)
		}
	}
}
