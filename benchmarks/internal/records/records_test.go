package records

import (
	"bytes"
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/codec"
	"github.com/practicesdk/practice-go/internal/description"
	"github.com/practicesdk/practice-go/models"
)

func read(t *testing.T) []Record {
	t.Helper()
	all, err := Read(os.DirFS("../../.."))
	require.NoError(t, err)
	return all
}

// TestBothTypesHaveEveryMemberOfTheSample checks that both contestants read the
// whole sample: both structs have a field for every member.
func TestBothTypesHaveEveryMemberOfTheSample(t *testing.T) {
	t.Parallel()
	for _, record := range read(t) {
		t.Run(record.Name, func(t *testing.T) {
			t.Parallel()
			plain := json.NewDecoder(bytes.NewReader(record.Sample))
			plain.DisallowUnknownFields()
			require.NoError(t, plain.Decode(reflect.New(record.Plain).Interface()))

			typed := reflect.New(record.Type)
			faults, err := codec.Decode(record.Sample, typed.Interface(), models.Wire)
			require.NoError(t, err)
			require.Empty(t, faults)
			extra := typed.Elem().FieldByName("Extra").Interface().(models.Extra)
			for name := range extra.All() {
				assert.Contains(t, strings.ToLower(name), "vendor", "only what carries the vendor's prefix has a field without a name")
			}
		})
	}
}

// TestPlainTypesHaveNoMethods checks that decoding into the plain struct only
// sets its fields.
func TestPlainTypesHaveNoMethods(t *testing.T) {
	t.Parallel()
	for _, record := range read(t) {
		assert.Zero(t, reflect.PointerTo(record.Plain).NumMethod(), record.Name)
		assert.Equal(t, reflect.Struct, record.Plain.Kind())
	}
}

func TestEveryAnsweredRecordIsThere(t *testing.T) {
	t.Parallel()
	document, err := description.Load(os.DirFS("../../../api"))
	require.NoError(t, err)
	names := map[string]bool{}
	for _, record := range read(t) {
		names[record.Name] = record.Listed
	}
	for _, area := range document.Areas {
		for _, o := range area.Operations {
			if o.Class == "read" && o.Answer != nil && o.Answer.Ref != nil {
				listed, there := names[o.Answer.Ref.GoName]
				assert.True(t, there, o.ID)
				assert.True(t, listed || o.Paging == nil, o.ID)
			}
		}
	}
}
