package description_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/description"
)

func TestEachListIsAKindOfACopyOrSaysWhyNot(t *testing.T) {
	t.Parallel()
	for _, a := range load(t).Areas {
		for _, o := range a.Operations {
			if o.Paging == nil || o.Class != "read" {
				assert.Empty(t, o.NotCopied, "%s: %s is no list", o.Pos, o.ID)
				continue
			}
			assert.NotEqual(t, o.Copied != nil, o.NotCopied != "", "%s: %s needs a line such as \"copy: fees\" or \"copy: none, it is a search.\"", o.Pos, o.ID)
		}
	}
}

func TestWhatFollowsForAKind(t *testing.T) {
	t.Parallel()
	kinds := map[string]*description.CopiedKind{}
	for _, k := range load(t).Kinds {
		if k.Below != nil {
			require.Contains(t, kinds, k.Below.Name, "parents come first")
		}
		kinds[k.Name] = k
	}
	fees := kinds["fees"]
	assert.Equal(t, []string{"getFee", "matters", "fee", "id", "UpdatedSince"}, []string{fees.Get.ID, fees.Below.Name, fees.Event, fees.Key, fees.Since()})
	assert.Equal(t, "matters", kinds["intake_submissions"].Below.Name, "its path does not say so")
	assert.Nil(t, kinds["contact_relations"].Get, "it is read by the id of the contact")
	assert.Nil(t, kinds["intake_submissions"].Get, "it has another form")
	assert.Equal(t, "LastUpdated", kinds["tasks"].Since(), "the other one is deprecated")
	assert.Equal(t, []string{"items", "tags"}, kinds["matters"].Fields())
	for kind, want := range map[string][]string{"fees": {"versionId", "versionId"}, "staff": {"versionId", ""}, "tasks": {"lastUpdated", "lastUpdated"}, "groups": {"", ""}, "contacts": {"versionId lastUpdated", "lastUpdated"}} {
		members, order := kinds[kind].Version()
		assert.Equal(t, want, []string{strings.Join(members, " "), order}, kind)
	}
}

func TestTwoKindsHaveTwoNames(t *testing.T) {
	t.Parallel()
	twice := strings.NewReplacer("/matters/{matterId}/fees", "/fees", "  matterId: uuid, is the id of the matter.\n", "", "with matterId=0", "",
		"    since: UpdatedSince ticks\n", "    copy: fees by subject\n  listOld:\n    call: GET /old\n    method: ListOld\n    doc: Returns one page of old fees.\n    answer: page of Fee\n    copy: fees by subject\n").Replace(small)
	_, err := loadText(twice)
	require.ErrorContains(t, err, `the kind "fees" is also at fees.yaml:`)
}
