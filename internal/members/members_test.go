package members_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/members"
)

// TestEveryMemberThatIsSentHasASentence compares the table with the fields of
// the bodies.
func TestEveryMemberThatIsSentHasASentence(t *testing.T) {
	t.Parallel()
	bodies := 0
	for _, o := range practice.Operations() {
		if o.Body == "" {
			continue
		}
		record := reflect.TypeOf(o.NewBody()).Elem()
		for record.Kind() == reflect.Slice {
			record = record.Elem()
		}
		if record.Kind() != reflect.Struct {
			continue
		}
		bodies++
		described := map[string]members.Member{}
		for _, m := range members.Of(record.Name()) {
			described[m.Name] = m
		}
		for _, field := range reflect.VisibleFields(record) {
			name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			if name == "" || name == "-" {
				continue
			}
			m, ok := described[name]
			assert.True(t, ok, "%s.%s", record.Name(), name)
			assert.True(t, strings.HasPrefix(m.Doc, name), "%s.%s: %s", record.Name(), name, m.Doc)
			assert.True(t, strings.HasSuffix(m.Doc, "."), "%s.%s: %s", record.Name(), name, m.Doc)
		}
	}
	assert.Greater(t, bodies, 60)
	assert.Nil(t, members.Of("Nothing"))
}
