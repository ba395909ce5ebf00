package practicetest_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

func TestARecordOfTheTestIsThereAtOnceAndTold(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := practicetest.New(t)
		box := subscribe(t, s, "activitycode.created")
		id := s.AddActivityCode(models.ActivityCodeWrite{Code: "ADV", Rate: models.MustDecimal("385.50"), RateType: models.Some(models.ActivityRateTypeOverrideRateForAllStaff)})

		assert.Equal(t, "ADV", call(t, s).get("/activitycodes/"+id).want(200).text("code"))
		told := box.wait(1)[0]
		assert.Equal(t, id, told.text("payload", "id"))
		assert.Equal(t, "Application", told.text("source"))
		changes := s.Changes()
		assert.Equal(t, "Application", changes[len(changes)-1].Source)
	})
}

func TestARecordIsReadBackAsItIsKept(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t, practicetest.WithWriteDelay(time.Hour), practicetest.WithSeed(3)) // seed 3 adds undescribed members
	id := s.AddActivityCode(models.ActivityCodeWrite{Code: "ADV", Rate: models.MustDecimal("385.50"), RateType: models.Some(models.ActivityRateTypeOverrideRateForAllStaff), TaxExempt: models.Some(true)})

	code, there := s.ActivityCode(id)
	require.True(t, there)
	assert.Equal(t, "ADV", code.Code)
	assert.Equal(t, "385.50", code.Rate.String())
	assert.True(t, code.TaxExempt.Or(false))
	assert.Empty(t, code.Extra)

	call(t, s).do("DELETE", "/activitycodes/"+id, "").want(202)
	code, _ = s.ActivityCode(id)
	assert.False(t, code.IsDeleted.Or(false), "the write takes effect later")
	s.Settle()
	code, there = s.ActivityCode(id)
	assert.True(t, there && code.IsDeleted.Or(false), "a deleted record is there")
	_, there = s.ActivityCode("6f9619ff-8b86-4d01-b42d-00cf4fc964ff")
	assert.False(t, there)
}
