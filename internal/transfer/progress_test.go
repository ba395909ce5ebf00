package transfer

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestProgressNeverFalls(t *testing.T) {
	t.Parallel()
	var told [][2]int64
	p := newProgress(func(done, total int64) { told = append(told, [2]int64{done, total}) }, 10)
	p.add(3)
	p.add(4)
	p.restart(0, 10)
	p.add(5) // no call, since 7 was reported before
	p.add(3)
	p.finish(10)
	p.finish(10)
	assert.Equal(t, [][2]int64{{3, 10}, {7, 10}, {8, 10}, {10, 10}}, told)
}

func TestAnEmptyContentIsToldToo(t *testing.T) {
	t.Parallel()
	var told [][2]int64
	p := newProgress(func(done, total int64) { told = append(told, [2]int64{done, total}) }, -1)
	p.finish(0)
	assert.Equal(t, [][2]int64{{0, 0}}, told)
}

func TestTheLastProgressIsTheWhole(t *testing.T) {
	t.Parallel()
	var told [][2]int64
	p := newProgress(func(done, total int64) { told = append(told, [2]int64{done, total}) }, 3)
	p.add(2)
	p.restart(0, 1) // a shorter version arrived
	p.add(1)
	p.finish(1)
	p.finish(1)
	assert.Equal(t, [][2]int64{{2, 3}, {2, 2}}, told)
}
