package practicetest_test

import (
	"path"
	"reflect"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"

	"github.com/practicesdk/practice-go/internal/soak"
	"github.com/practicesdk/practice-go/practicetest"
)

// ofOneMatter is more than the number of allocations for the records below one
// matter, and less than that for two.
const ofOneMatter = 2500.

// TestAnUnknownIDMakesNothingUp requests unknown ids, for which no matter's
// records may be generated.
func TestAnUnknownIDMakesNothingUp(t *testing.T) { //nolint:paralleltest // it counts what the process allocates
	s := practicetest.New(t, practicetest.WithMatters(2000))
	objects := allocated(func() {
		for n := range 100 {
			id := uuid.NewSHA1(uuid.UUID{}, []byte{byte(n)}).String()
			_, found := s.Fee(id)
			assert.False(t, found)
			_, found = s.Transaction(id)
			assert.False(t, found)
			assert.False(t, s.DeleteFile(id))
		}
		for _, id := range []string{"", "_p", "p0", nobody + "_p", "-1", "nothing"} {
			_, found := s.ProtectedBalance(id)
			assert.False(t, found, id)
		}
	}).objects
	assert.Less(t, objects, 2*ofOneMatter)
}

// TestARecordBelowAMatterIsFoundByItsIDAlone takes ids from another service
// with the same seed. Only the records of the matter in the id may be
// generated.
func TestARecordBelowAMatterIsFoundByItsIDAlone(t *testing.T) { //nolint:paralleltest // it counts what the process allocates
	service := func() *practicetest.Server { return controlled(t, manyMatters, practicetest.WithEvents(0)) }
	whole, tried := service(), 0
	call(t, whole).get("/stages").want(200) // generates the records of all matters
	_, reads := recordMethods()
	matter := whole.Firm().MatterIDs[10] // has a stage
	for _, k := range kindsOfRecords(t, whole) {
		below := strings.HasPrefix(k.Path, "/matters/") || strings.HasSuffix(k.Path, "/transactions") || strings.HasSuffix(k.Path, "/protected-balances")
		schema := k.schema(t)
		if !below || schema == nil || withoutMethod[schema.Name] != "" || strings.HasSuffix(k.Path, "/relationships") {
			continue
		}
		read := func(s *practicetest.Server, at string) []reflect.Value {
			if k.Single {
				at = path.Dir(at)
			}
			return reads[schema.GoName].Func.Call([]reflect.Value{reflect.ValueOf(s), reflect.ValueOf(path.Base(at))})
		}
		k.Path = strings.Replace(k.Path, "{matterId}", matter, 1)
		all := k.paths(t, whole)
		at := all[len(all)*3/4]
		s, got := service(), []reflect.Value{}
		objects := allocated(func() { got = read(s, at) }).objects
		assert.True(t, got[1].Bool(), at)
		assert.Equal(t, read(whole, at)[0].Interface(), got[0].Interface(), at)
		assert.Less(t, objects, ofOneMatter, at)
		tried++
	}
	assert.GreaterOrEqual(t, tried, 12)
}

// TestMakingUpEveryMatterGrowsWithTheirNumber generates the records of ten
// times as many matters. The cost must grow about tenfold.
func TestMakingUpEveryMatterGrowsWithTheirNumber(t *testing.T) { //nolint:paralleltest // it counts what the process allocates
	soak.NotWithRaceDetector(t, "it counts allocations")
	makeUp := func(matters int) allocation {
		l := newLoad(t, matters)
		return allocated(func() { l.ask("/stages?limit=1") })
	}
	makeUp(20) // allocates what is needed only once
	few, many := makeUp(50), makeUp(500)
	assert.Less(t, many.objects, 12*few.objects)
	assert.Less(t, many.bytes, 12*few.bytes)
}
