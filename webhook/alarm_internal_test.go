package webhook

import (
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestMemoryIsBounded(t *testing.T) {
	t.Parallel()
	m := newBounded[sighting](3)
	at := time.Unix(0, 0)
	for i := range 10 {
		firstSighting(m, strconv.Itoa(i), sighting{body: digest{byte(i)}, seen: at}, time.Hour)
		assert.LessOrEqual(t, len(m.places), 3)
	}
	other := sighting{body: digest{99}, seen: at}
	assert.Equal(t, digest{9}, firstSighting(m, "9", other, time.Hour).body, "the latest are kept")
	assert.Equal(t, digest{7}, firstSighting(m, "7", other, time.Hour).body)
	assert.Equal(t, digest{99}, firstSighting(m, "6", other, time.Hour).body, "the earliest is forgotten")
}

func TestMemoryDropsWhatIsTooOld(t *testing.T) {
	t.Parallel()
	m := newBounded[sighting](100)
	at := time.Unix(0, 0)
	for i := range 10 {
		firstSighting(m, strconv.Itoa(i), sighting{seen: at}, time.Duration(i)*time.Second)
	}
	firstSighting(m, "late", sighting{seen: at.Add(5 * time.Second)}, time.Minute)
	assert.Len(t, m.places, 5, "6 to 9, which are still good, and the new one")
}
