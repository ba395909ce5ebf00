package models_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/models"
)

func TestTheDetailsOfAContactTellItsKind(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]models.ContactKind{
		`{"person":{"lastName":"Example"}}`:              models.ContactKindPerson,
		`{"person":{"phone":{"number":"5550100"}}}`:      models.ContactKindPerson,
		`{"person":null,"company":{"name":"Example"}}`:   models.ContactKindOrganisation,
		`{"trust":{"trustees":[{"name":"Example"}]}}`:    models.ContactKindTrust,
		`{"groupOfPeople":{"people":[{"id":"1"}]}}`:      models.ContactKindGroupOfPeople,
		`{"id":"1","person":{},"company":{},"trust":{}}`: "",
	} {
		var contact models.Contact
		require.NoError(t, json.Unmarshal([]byte(text), &contact))
		assert.Equal(t, want, contact.Kind(), text)
	}
}
