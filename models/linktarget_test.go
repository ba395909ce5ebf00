package models_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/practicesdk/practice-go/models"
)

func TestLinkTargetID(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		link models.Link
		want string
	}{
		"nothing":                           {},
		"the id comes first":                {models.Link{ID: "MyFirm", Href: "/firm/1"}, "MyFirm"},
		"else the last segment":             {models.Link{Href: "https://api.example.test/v1/contacts/c1"}, "c1"},
		"of a relative address":             {models.Link{Href: "/contacts/c1"}, "c1"},
		"without a slash at the end":        {models.Link{Href: "/contacts/c1/"}, "c1"},
		"without query and fragment":        {models.Link{Href: "https://api.example.test/contacts/c1?limit=5#x"}, "c1"},
		"a host is not an id":               {models.Link{Href: "https://api.example.test"}, ""},
		"a host with a slash is not either": {models.Link{Href: "https://api.example.test/"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, tt.want, tt.link.TargetID())
		})
	}
}

// TestTheTargetOfNoLinkIsEmpty covers the nil link of a failed create.
func TestTheTargetOfNoLinkIsEmpty(t *testing.T) {
	t.Parallel()
	assert.Empty(t, (*models.Link)(nil).TargetID())
}
