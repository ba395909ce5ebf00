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

func TestTheNameOfAContactIsThatOfItsKind(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"person":{"firstName":"Avery","lastName":"Example"}}`:                   "Avery Example",
		`{"person":{"firstName":"Avery","middleName":"B.","lastName":"Example"}}`: "Avery Example",
		`{"person":{"lastName":"Example"}}`:                                       "Example",
		`{"person":{"firstName":" Avery "}}`:                                      "Avery",
		`{"person":{"customName":"Dr Example","email":"a@example.test"}}`:         "Dr Example",
		`{"person":{"customName":"Dr Example","lastName":"Example"}}`:             "Example",
		`{"person":{"email":"a@example.test"}}`:                                   "",
		`{"person":{"customName":" "},"company":{"name":" Example Ltd "}}`:        "Example Ltd",
		`{"person":{"firstName":" ","customName":"\t"},"trust":{"name":" "}}`:     "",
		`{"person":null,"company":{"name":"Example Ltd"}}`:                        "Example Ltd",
		`{"company":{"tradingName":"Example Trading"}}`:                           "",
		`{"trust":{"name":"Example Trust"}}`:                                      "Example Trust",
		`{"groupOfPeople":{"name":"The Examples"}}`:                               "The Examples",
		`{"id":"1","person":{},"company":{},"trust":{}}`:                          "",
		`{"person":{"notes":"of the company"},"company":{"name":"Example Ltd"}}`:  "Example Ltd",
	} {
		var contact models.Contact
		require.NoError(t, json.Unmarshal([]byte(text), &contact))
		assert.Equal(t, want, contact.Name(), text)
	}
}
