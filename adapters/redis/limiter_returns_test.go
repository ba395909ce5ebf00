package redis

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestTurnsAreGivenBackOnceWhateverBecomesOfTheAnswers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := returns{name: "a"}
		count := func() int64 { return r.known + int64(len(r.owed)) }
		giveUp := func(queue int64, turns int) {
			for range turns {
				r.add(&promise{time.Now().Add(time.Minute), queue, 1})
			}
		}
		r.learn(1, 0)
		giveUp(1, 5)
		assert.EqualValues(t, 5, count(), "also when the question is repeated")
		assert.EqualValues(t, 5, count())
		r.learn(1, 4)
		r.learn(1, 2)
		assert.EqualValues(t, 5, count(), "an answer that comes late says nothing")
		giveUp(1, 1)
		assert.EqualValues(t, 6, count())
		<-time.After(time.Minute)
		r.forget()
		assert.EqualValues(t, 4, count(), "a turn that has come stands in no queue")
		giveUp(1, 1)
		r.learn(2, 0)
		assert.Zero(t, count(), "nor do those of a queue that is no more")
		giveUp(1, 1)
		assert.Zero(t, count())
		giveUp(2, 1)
		assert.EqualValues(t, 1, count())
	})
}
