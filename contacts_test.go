package practice_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

func aPerson() models.ContactWrite {
	return models.ContactWrite{Person: models.PersonWrite{FirstName: "Avery", LastName: "Example", Email: "avery@example.test"}}
}

func TestAContactHasEveryField(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		kinds := map[models.ContactKind]int{}
		for _, id := range server.Firm().ContactIDs {
			r, err := client.Contacts.Get(t.Context(), id)
			require.NoError(t, err)
			testkit.AssertSent(t, server, "GET", "/contacts/"+id, "")
			testkit.AssertRecord(t, testkit.WireTree(t, testkit.WireText(t, client, "/contacts/{id}", id)), map[string]any{
				"href": r.Href, "relation": r.Relation, "method": r.Method, "self": r.Self, "id": r.ID, "versionId": r.VersionID,
				"externalSystemId": r.ExternalSystemID, "person": r.Person, "company": r.Company, "trust": r.Trust,
				"groupOfPeople": r.GroupOfPeople, "isDeleted": r.IsDeleted, "lastUpdated": r.LastUpdated, "tags": r.Tags,
			})
			kinds[r.Kind()]++
		}
		assert.Equal(t, map[models.ContactKind]int{
			models.ContactKindPerson: 21, models.ContactKindOrganisation: 1, models.ContactKindTrust: 1, models.ContactKindGroupOfPeople: 1,
		}, kinds)
	})
}

func TestListsOfContactsHaveDetailsOnRequest(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		whole, err := client.Contacts.Get(t.Context(), server.Firm().ContactID)
		require.NoError(t, err)
		first := func(fields ...models.ContactField) models.Contact {
			page, err := client.Contacts.List(t.Context(), practice.ContactListOptions{ListOptions: practice.ListOptions{Limit: 1}, Fields: fields})
			require.NoError(t, err)
			require.Len(t, page.Items, 1)
			assert.Equal(t, len(server.Firm().ContactIDs), page.Size.Or(0))
			return page.Items[0]
		}
		brief := first()
		testkit.AssertSent(t, server, "GET", "/contacts", "Limit=1")
		assert.Empty(t, brief.Tags)
		assert.Empty(t, brief.Person.PassportDetails.PassportNumber)
		assert.Empty(t, brief.Person.VOIDetails.Reference)
		assert.Equal(t, whole.Person.BirthDate, brief.Person.BirthDate)
		asked := first(models.ContactFieldTags, models.ContactFieldVoiDetails)
		testkit.AssertSent(t, server, "GET", "/contacts", "Fields=tags%2CvoiDetails&Limit=1")
		assert.Equal(t, whole.Tags, asked.Tags)
		assert.Equal(t, whole.Person.VOIDetails, asked.Person.VOIDetails)
		assert.Empty(t, asked.Person.PassportDetails.PassportNumber)
		assert.Equal(t, *whole, first(models.ContactFieldTags, models.ContactFieldVoiDetails, models.ContactFieldPassportDetails,
			models.ContactFieldCitizenshipDetails, models.ContactFieldUtbmsDetails, models.ContactFieldExecutionOptions))
	})
}

func TestContactsAreFiltered(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		contacts := server.Firm().ContactIDs
		all := func(options practice.ContactListOptions) (found []string) {
			for c, err := range client.Contacts.All(t.Context(), options) {
				require.NoError(t, err)
				found = append(found, c.ID)
			}
			return found
		}
		kinds := practice.ContactListOptions{Type: []models.ContactKind{models.ContactKindOrganisation, models.ContactKindGroupOfPeople}}
		assert.Equal(t, []string{contacts[21], contacts[23]}, all(kinds))
		testkit.AssertSent(t, server, "GET", "/contacts", "Limit=500&Offset=0&Type=Organisation&Type=GroupOfPeople")
		assert.Equal(t, []string{contacts[22]}, all(practice.ContactListOptions{Search: []string{"harbour trust"}}), "by name")
		assert.Equal(t, []string{contacts[0]}, all(practice.ContactListOptions{Search: []string{"2175550101"}}), "by telephone number")
		assert.Equal(t, contacts[21:23], all(practice.ContactListOptions{Search: []string{"bakery.example", "2175550300", "Harbour Trust"}}), "one of the texts is enough")

		server.Clock().Advance(time.Second)
		since := server.Clock().Now()
		require.NoError(t, testkit.Discard(client.Contacts.Delete(t.Context(), contacts[3])))
		testkit.AssertSent(t, server, "DELETE", "/contacts/"+contacts[3], "")
		server.Settle()
		assert.Equal(t, []string{contacts[3]}, all(practice.ContactListOptions{UpdatedSince: since}), "deleted ones are listed")
		assert.NotContains(t, all(practice.ContactListOptions{ExcludeDeleted: true}), contacts[3])
		sorted := all(practice.ContactListOptions{Sort: models.ContactSortLastUpdated})
		assert.Equal(t, contacts[3], sorted[len(sorted)-1])
	})
}

func TestManyContactsAreReadByID(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f := server.Firm()
		page, err := client.Contacts.GetMany(t.Context(), []string{f.ContactIDs[5], testkit.UnknownID, f.OtherFirmContactID, f.ContactID})
		require.NoError(t, err)
		testkit.AssertSent(t, server, "POST", "/contacts/batch", "")
		require.Len(t, page.Items, 2, "the others are left out")
		assert.Equal(t, f.ContactIDs[5], page.Items[0].ID, "the order is kept")
		whole, err := client.Contacts.Get(t.Context(), f.ContactID)
		require.NoError(t, err)
		assert.Equal(t, *whole, page.Items[1], "every member comes unasked")
		assert.True(t, page.Size.IsZero())
		assert.Equal(t, 200, page.Response.StatusCode)

		for argument, ids := range map[string][]string{"ids": nil, "ids[1]": {f.ContactID, ""}} {
			_, err := client.Contacts.GetMany(t.Context(), ids)
			refused, is := errors.AsType[*practice.ArgumentError](err)
			require.True(t, is, "%v", err)
			assert.Equal(t, argument, refused.Argument)
		}
	})
}

func TestMoreIDsThanOneRequestTakesAreSplit(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, _ *practice.Client) {
		var told []practice.Observation
		client := server.Client(t, practice.WithObserver(func(_ context.Context, o practice.Observation) { told = append(told, o) }))
		var ids []string
		for i := range 1001 {
			ids = append(ids, server.Firm().ContactIDs[i%24])
		}
		server.ResetRequests()
		page, err := client.Contacts.GetMany(t.Context(), ids)
		require.NoError(t, err)
		assert.Len(t, server.Requests(), 3)
		require.Len(t, page.Items, len(ids))
		for i := range ids {
			assert.Equal(t, ids[i], page.Items[i].ID)
		}
		require.NotEmpty(t, told)
		assert.Equal(t, 3, told[len(told)-1].Attempt, "it is told as one call")

		server.Inject(practicetest.Fault{Operation: "batchContacts", Skip: 1, Kind: practicetest.FaultStatus, Status: 403})
		page, err = client.Contacts.GetMany(t.Context(), ids)
		require.ErrorIs(t, err, practice.ErrForbidden)
		assert.Nil(t, page, "a part is no answer")
		var response practice.Response
		for name, option := range map[string]practice.CallOption{
			"WithResponse": practice.WithResponse(&response), "WithRequestID": practice.WithRequestID("6f9619ff-8b86-4d01-b42d-00cf4fc964ff"),
		} {
			require.NoError(t, testkit.Discard(client.Contacts.GetMany(t.Context(), ids[:500], option)), name)
			_, err := client.Contacts.GetMany(t.Context(), ids, option)
			refused, is := errors.AsType[*practice.ArgumentError](err)
			require.True(t, is, "%v", err)
			assert.Equal(t, name, refused.Argument)
		}
	})
}

func TestAContactIsCreatedReplacedDeletedAndRestored(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		link, err := client.Contacts.Create(t.Context(), aPerson())
		require.NoError(t, err)
		testkit.AssertSent(t, server, "POST", "/contacts", "")
		assert.Equal(t, `{"person":{"firstName":"Avery","lastName":"Example","email":"avery@example.test"}}`, string(testkit.LastSent(t, server).Body))
		require.ErrorIs(t, testkit.Discard(client.Contacts.Get(t.Context(), link.ID)), practice.ErrNotFound, "the write takes effect later")
		get := func() *models.Contact {
			server.Settle()
			contact, err := client.Contacts.Get(t.Context(), link.ID)
			require.NoError(t, err)
			return contact
		}
		assert.Equal(t, "avery@example.test", get().Person.Email)

		born := models.DateOf(time.Date(1980, time.July, 1, 0, 0, 0, 0, time.UTC))
		require.NoError(t, testkit.Discard(client.Contacts.Update(t.Context(), link.ID, models.ContactWrite{
			ExternalSystemID: "EXT-9", Person: models.PersonWrite{FirstName: "Avery", BirthDate: born},
		})))
		testkit.AssertSent(t, server, "PUT", "/contacts/"+link.ID, "")
		contact := get()
		assert.Equal(t, born, contact.Person.BirthDate)
		assert.Equal(t, "EXT-9", contact.ExternalSystemID)
		assert.Empty(t, contact.Person.LastName, "a replacement clears what it leaves out")

		require.NoError(t, testkit.Discard(client.Contacts.Delete(t.Context(), link.ID)))
		assert.True(t, get().IsDeleted.Or(false))
		require.ErrorIs(t, testkit.Discard(client.Contacts.Update(t.Context(), link.ID, aPerson())), practice.ErrNotFound, "nothing changes it but what restores it")
		assert.True(t, get().IsDeleted.Or(false))
		restored := aPerson()
		restored.IsDeleted = models.Some(false)
		require.NoError(t, testkit.Discard(client.Contacts.Update(t.Context(), link.ID, restored)))
		assert.False(t, get().IsDeleted.Or(true))
	})
}

func TestACompanyATrustAndAGroupAreWrittenWithIDsAndReadWithLinks(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		one, other := server.AddContact(aPerson()), server.AddContact(models.ContactWrite{Person: models.PersonWrite{FirstName: "Robin", LastName: "Example"}})
		company, ok := server.Contact(server.AddContact(models.ContactWrite{Company: models.CompanyWrite{
			Name: "Example LLC", StaffIDs: []string{one, other}, DirectorIDs: []string{other}, CompanyManagedBy: models.Some(models.CompanyManagedByManagers),
		}}))
		require.True(t, ok)
		require.Len(t, company.Company.Staff, 2)
		assert.Equal(t, one, company.Company.Staff[0].TargetID())
		assert.Equal(t, other, company.Company.Directors[0].TargetID())
		assert.Equal(t, models.CompanyManagerManagers, company.Company.CompanyManagedBy)
		assert.Equal(t, []string{one, other}, company.Company.StaffIDs) //nolint:staticcheck // deprecated, but read as long as the service sends it

		group, _ := server.Contact(server.AddContact(models.ContactWrite{GroupOfPeople: models.GroupOfPeopleWrite{PeopleIDs: []string{one, other}}}))
		assert.Equal(t, "Avery Example & Robin Example", group.GroupOfPeople.Name, "the service makes the name")
		assert.Equal(t, other, group.GroupOfPeople.People[1].TargetID())

		trust, _ := server.Contact(server.AddContact(models.ContactWrite{Trust: models.TrustWrite{
			Name: "Example Trust", Trustees: []models.TrusteeWrite{{Name: "Kim", Type: models.TrusteeTypeIndividual}},
		}}))
		assert.Equal(t, models.TrusteeTypeIndividual, trust.Trust.Trustees[0].Type)
		assert.Equal(t, models.ContactKindTrust, trust.Kind())

		for _, id := range []string{company.ID, group.ID, trust.ID} {
			before, _ := server.Contact(id)
			require.NoError(t, testkit.Discard(client.Contacts.Modify(t.Context(), id, asItIs[models.ContactWrite])), "only persons have papers")
			server.Settle()
			after, _ := server.Contact(id)
			assert.Equal(t, withoutStamps(t, before), withoutStamps(t, after))
		}
	})
}

func TestModifyOfAPersonDoesNotLoseIdentityPapers(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		id := server.Firm().ContactID
		rename := func(c *models.ContactWrite) error { c.Person.LastName = "Married"; return nil }
		_, err := client.Contacts.Modify(t.Context(), id, rename)
		refused, is := errors.AsType[*practice.ModifyError](err)
		require.True(t, is, "%v", err)
		assert.Equal(t, []string{"person.identificationDetails"}, refused.Members)
		_, err = client.Contacts.Modify(t.Context(), id, func(c *models.ContactWrite) error {
			c.Person.IdentificationDetails.DriversLicenseNumber = "D-2"
			return rename(c)
		})
		require.NoError(t, err)
		server.Settle()
		after, _ := server.Contact(id)
		assert.Equal(t, "Married", after.Person.LastName)
	})
}

func TestNoIDOfAContactReachesTheBatch(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, _ *practicetest.Server, client *practice.Client) {
		for _, err := range []error{
			testkit.Discard(client.Contacts.Get(t.Context(), "Batch")),
			testkit.Discard(client.Contacts.Update(t.Context(), "batch", aPerson())),
			testkit.Discard(client.Contacts.Delete(t.Context(), "batch")),
		} {
			refused, is := errors.AsType[*practice.ArgumentError](err)
			require.True(t, is, "%v", err)
			assert.Equal(t, "id", refused.Argument)
		}
	})
}

func TestRefusalsOfContacts(t *testing.T) {
	t.Parallel()
	create := func(contact func(practicetest.Firm) models.ContactWrite) func(context.Context, *practice.Client, practicetest.Firm) error {
		return func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
			return testkit.Discard(c.Contacts.Create(ctx, contact(f)))
		}
	}
	testkit.AssertRefusals(t, "Contacts.Create",
		testkit.Refusal{
			Rule: "a contact of no kind", Want: practice.ErrBadRequest, Fields: []string{"person: exactly one of person, company, trust, groupOfPeople is required"},
			Call: create(func(practicetest.Firm) models.ContactWrite { return models.ContactWrite{ExternalSystemID: "EXT-1"} }),
		},
		testkit.Refusal{
			Rule: "a contact of two kinds", Want: practice.ErrBadRequest, Fields: []string{"trust: must not be combined with company"},
			Call: create(func(practicetest.Firm) models.ContactWrite {
				return models.ContactWrite{Company: models.CompanyWrite{Name: "Example"}, Trust: models.TrustWrite{Name: "Example"}}
			}),
		},
		testkit.Refusal{
			Rule: "a company whose director does not exist", Want: practice.ErrBadRequest, Conflict: true, Fields: []string{"company.directorIds[0]: no such contact"},
			Call: create(func(f practicetest.Firm) models.ContactWrite {
				return models.ContactWrite{Company: models.CompanyWrite{Name: "Example", StaffIDs: []string{f.ContactID}, DirectorIDs: []string{testkit.UnknownID}}}
			}),
		},
	)
	testkit.AssertRefusals(t, "Contacts.Get", testkit.Refusal{
		Rule: "an id that is no UUID and names nobody", Want: practice.ErrNotFound,
		Call: func(ctx context.Context, c *practice.Client, _ practicetest.Firm) error {
			return testkit.Discard(c.Contacts.Get(ctx, "MyFirm"))
		},
	})
	relates := map[string]func(ctx context.Context, c *practice.Client, from, to string) error{
		"Contacts.GetRelation": func(ctx context.Context, c *practice.Client, from, to string) error {
			return testkit.Discard(c.Contacts.GetRelation(ctx, from, to))
		},
		"Contacts.DeleteRelation": func(ctx context.Context, c *practice.Client, from, to string) error {
			return testkit.Discard(c.Contacts.DeleteRelation(ctx, from, to))
		},
	}
	for operation, call := range relates {
		testkit.AssertRefusals(t, operation, testkit.Refusal{
			Rule: operation + ": who is not related", Want: practice.ErrNotFound,
			Call: func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
				return call(ctx, c, f.ContactID, f.ContactIDs[20])
			},
		})
	}
	testkit.AssertRefusals(t, "Contacts.CreateRelation", testkit.Refusal{
		Rule: "a relation to oneself", Want: practice.ErrBadRequest, Fields: []string{"relatedContactId: must not be the contact itself"},
		Call: func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
			return testkit.Discard(c.Contacts.CreateRelation(ctx, f.ContactID, models.RelationWrite{RelatedContactID: f.ContactID}))
		},
	})
}
