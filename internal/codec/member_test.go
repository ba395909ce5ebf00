package codec_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/practicesdk/practice-go/internal/codec"
)

func TestMemberIs(t *testing.T) {
	t.Parallel()
	for object, want := range map[string][2]bool{
		`{"id":"a"}`:                           {true, false},
		`{"x":[{"id":"b"}],"id":"A"}`:          {true, false},
		`{"id":"b","id":"a"}`:                  {true, false},
		`{"id":{"href":"/x","id":"a"}}`:        {true, false},
		`{"id":"b"}`:                           {false, true},
		`{"id":7}`:                             {false, true},
		`{"id":["a"]}`:                         {false, true},
		`{"id":{"id":"b"}}`:                    {false, true},
		`{"id":null}`:                          {false, false},
		`{"id":""}`:                            {false, false},
		`{"id":{"href":"/x"}}`:                 {false, false},
		`{"ID":"b"}`:                           {false, false},
		`{"self":{"id":"b"}}`:                  {false, false},
		`{}`:                                   {false, false},
		`["a"]`:                                {false, true},
		`"a"`:                                  {false, true},
		``:                                     {false, true},
		`{"id":"\u0061"}`:                      {true, false},
		`{"id":"b","x":{"id":"a"},"y":"a"}`:    {false, true},
		`{"id":{"id":"b"},"other":{"id":"a"}}`: {false, true},
	} {
		is, not := codec.MemberIs([]byte(object), "id", "a")
		assert.Equal(t, want, [2]bool{is, not}, object)
	}
}
