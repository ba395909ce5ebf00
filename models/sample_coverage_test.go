package models_test

import (
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/codec"
	"github.com/practicesdk/practice-go/internal/description"
	"github.com/practicesdk/practice-go/models"
)

// TestSamplesFillEveryField checks that the samples fill every field and leave
// in Extra only members without a field. It detects a misspelt json tag,
// because Extra would keep the member.
func TestSamplesFillEveryField(t *testing.T) {
	t.Parallel()
	found := &filled{fields: make(map[string]bool), extras: make(map[string]bool)}
	for _, name := range sampleNames(t) {
		if v, ok := sampleType(t, name); ok && !strings.HasPrefix(name, "errors/") {
			require.NoError(t, codec.Unmarshal(readSample(t, name), v, models.Wire))
			found.add(reflect.ValueOf(v).Elem())
		}
	}
	for text, v := range map[string]record{
		string(readSample(t, "notifications/onNotification.matter-dense.json")): &models.MatterPayload{},
		string(readSample(t, "notifications/onNotification.layoutmatter.json")): &models.MatterLayouts{},
		string(readSample(t, "notifications/onNotification.error.json")):        &models.ErrorPayload{},
	} {
		var n models.Notification
		require.NoError(t, codec.Unmarshal([]byte(text), &n, models.Wire))
		require.NoError(t, n.Payload.Decode(v))
		found.add(reflect.ValueOf(v).Elem())
	}

	var tags []models.MatterTagWrite
	require.NoError(t, codec.Unmarshal(readSample(t, "api/requests/addMatterTags.full.json"), &tags, models.Wire))
	found.add(reflect.ValueOf(tags))

	uncovered, err := description.Uncovered(os.DirFS("../api"))
	require.NoError(t, err)
	var missed []string
	for _, zero := range recordTypes() {
		if _, ok := zero.(*models.Problem); ok {
			continue
		}
		for name := range membersOf(reflect.TypeOf(zero).Elem()) {
			if slices.Contains([]string{"href", "relation", "method", "self"}, name) && !found.any(bareName(zero)) {
				continue // a missing record implies missing members
			}
			if field := bareName(zero) + "." + name; !found.fields[field] && uncovered[field] == "" {
				missed = append(missed, field)
			}
		}
	}
	slices.Sort(missed)
	assert.Empty(t, missed, "api/samples/uncovered.txt: no sample fills these\nadd one, or a line here")
	assert.Equal(t, []string{
		"BilledProduct.vendorId", "BilledProduct.vendorProductType", "ContactTag.href", "ContactTag.self",
		"FolderPathSegment.href", "FolderPathSegment.self", "IntakeForm.isVendorForm", "MatterBalance.href", "MatterBalance.id", "MatterBalance.self",
		"Notification.requestId", "PaymentSystem.href", "PaymentSystem.self", "SubscriptionChange.href",
		"SubscriptionChange.id", "SubscriptionChange.self", "SubscriptionInvoice.href", "SubscriptionInvoice.self", "Tier.vendorId",
		"TrialingTier.vendorId", "UsageProduct.amount", "UsageProduct.vendorId",
	}, slices.Sorted(maps.Keys(found.extras)), "these have no field")
}

// filled collects the names of the members that samples fill, qualified by the
// record.
type filled struct{ fields, extras map[string]bool }

// any reports whether a sample fills a member of the record.
func (f *filled) any(record string) bool {
	for field := range f.fields {
		if strings.HasPrefix(field, record+".") {
			return true
		}
	}
	return false
}

func (f *filled) add(v reflect.Value) {
	switch {
	case v.Kind() == reflect.Slice:
		for i := range v.Len() {
			f.add(v.Index(i))
		}
	case v.Kind() == reflect.Map:
		for _, key := range v.MapKeys() {
			f.add(v.MapIndex(key))
		}
	case isOpt(v.Type()):
		f.add(v.MethodByName("Get").Call(nil)[0])
	case v.Kind() == reflect.Struct && len(membersOf(v.Type())) > 0:
		for _, field := range reflect.VisibleFields(v.Type()) {
			f.addField(v, field)
		}
	}
}

func (f *filled) addField(of reflect.Value, field reflect.StructField) {
	record, _, _ := strings.Cut(of.Type().Name(), "[")
	name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
	switch value := of.FieldByIndex(field.Index); {
	case field.Name == "Extra":
		for member := range value.Interface().(models.Extra).All() {
			f.extras[record+"."+member] = true
		}
	case name != "" && name != "-" && !value.IsZero():
		f.fields[record+"."+name] = true
		f.add(value)
	}
}
