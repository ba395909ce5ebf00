package acceptance_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/models"
)

const (
	askedID   = "5ded8b07-ce44-5b3c-baa1-6a9801e6c7f4"
	anotherID = "0de4c732-092a-5bda-86af-e284e71b8af7"
)

// noRecords are responses of the right status that are not the record.
func noRecords() []string {
	return []string{
		``, `null`, `{}`, `{"id":null}`, `{"id":""}`, `{"error":"internal"}`, `{"message":"x","code":503}`, `[]`, `[{"id":"` + askedID + `"}]`,
		`{"value":[],"size":0}`, `{"value":null}`, `"` + askedID + `"`, `7`, `<html><body>maintenance</body></html>`, `{"id":"` + askedID,
	}
}

// answering returns a client of a service that gives each read the same answer,
// and the number of its writes.
func answering(t *testing.T, answer *string, opts ...practice.ClientOption) (client *practice.Client, writes *int) {
	t.Helper()
	writes = new(int)
	client, err := practice.NewClient("https://api.example.test/v1", append([]practice.ClientOption{
		practice.WithoutCredentials(),
		practice.WithHTTPClient(&http.Client{Transport: testkit.RoundTripper(func(r *http.Request) (*http.Response, error) {
			if r.Method != http.MethodGet && !strings.HasSuffix(r.URL.Path, "/preview") {
				*writes++
			}
			return testkit.AnswerOf(http.StatusOK, *answer), nil
		})}),
	}, opts...)...)
	require.NoError(t, err)
	return client, writes
}

// singleReads are the operations that read one record, with their arguments.
func singleReads() map[*practice.Operation]map[string]any {
	reads := map[*practice.Operation]map[string]any{}
	for _, o := range practice.Operations() {
		if o.AnswerForm != practice.AnswerRecord || o.Class != practice.OperationRead || o.Answer == "json.RawMessage" {
			continue
		}
		arguments := map[string]any{}
		for _, p := range o.Parameters {
			if p.In == practice.InPath {
				arguments[p.Name] = askedID
			}
		}
		reads[&o] = arguments
	}
	return reads
}

func bodyOf(o *practice.Operation) any {
	if o.Sample == "" {
		return nil
	}
	return json.RawMessage(o.Sample)
}

func TestAReadOfOneRecordIsThatRecordOrADecodeError(t *testing.T) {
	t.Parallel()
	named := 0
	for o, arguments := range singleReads() {
		wrong := noRecords()
		if len(o.Identity) > 0 {
			named++
			for _, member := range o.Identity {
				wrong = append(wrong, fmt.Sprintf(`{"href":"https://api.example.test/v1/x","%s":%q,"versionId":"1"}`, member, anotherID))
			}
			wrong = append(wrong, `{"href":"https://api.example.test/v1/x","versionId":"1"}`)
		}
		var answer string
		client, _ := answering(t, &answer)
		for _, answer = range wrong {
			var text []byte
			var raw json.RawMessage
			var free any
			for _, out := range []any{o.NewAnswer(), &text, &raw, &free} {
				err := client.Call(t.Context(), o.ID, arguments, bodyOf(o), out)
				_, unread := errors.AsType[*practice.DecodeError](err)
				assert.True(t, unread, "%s of %q into %T: %v", o.ID, answer, out, err)
			}
			assert.Empty(t, text, "%s of %q", o.ID, answer)
		}
		for _, member := range o.Identity {
			answer = fmt.Sprintf(`{"%s":%q}`, member, strings.ToUpper(askedID))
			assert.NoError(t, client.Call(t.Context(), o.ID, arguments, nil, o.NewAnswer()), "%s of %q", o.ID, answer)
		}
	}
	assert.Greater(t, named, 35)
}

func TestNoModifyWritesWhatItDidNotRead(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	for name, modify := range map[string]func(*practice.Client) error{
		"a contact": func(c *practice.Client) error {
			_, err := c.Contacts.Modify(ctx, askedID, func(*models.ContactWrite) error { return nil })
			return err
		},
		"a member of staff": func(c *practice.Client) error {
			_, err := c.Staff.Modify(ctx, askedID, func(*models.StaffMemberWrite) error { return nil })
			return err
		},
		"the firm, which has no id in its path": func(c *practice.Client) error {
			_, err := c.Firm.Modify(ctx, func(*models.FirmWrite) error { return nil })
			return err
		},
		"an archive": func(c *practice.Client) error {
			_, err := c.Matters.ModifyArchive(ctx, askedID, func(*models.MatterArchiveWrite) error { return nil })
			return err
		},
		"a policy": func(c *practice.Client) error {
			_, err := c.Policies.Modify(ctx, askedID, func(*models.PolicyWrite) error { return nil })
			return err
		},
	} {
		var answer string
		client, writes := answering(t, &answer, practice.WithLoss(practice.UnknownMembers))
		for _, answer = range noRecords() {
			_, unread := errors.AsType[*practice.DecodeError](modify(client))
			assert.True(t, unread, "%s, answered by %q", name, answer)
		}
		assert.Zero(t, *writes, name)
	}
}

func TestAwaitTakesNoOtherAnswerForTheRecordOfALink(t *testing.T) {
	t.Parallel()
	var answer string
	client, _ := answering(t, &answer)
	another := `{"id":"` + anotherID + `"}`
	for _, answer = range append(noRecords(), another) {
		for _, href := range []string{"/activitycodes/" + askedID, "https://api.example.test/v1/activitycodes/" + askedID} {
			read := practice.ReadLink[models.ActivityCode](client, &models.Link{Href: href})
			_, err := practice.Await(t.Context(), read, practice.Exists())
			_, unread := errors.AsType[*practice.DecodeError](err)
			assert.True(t, unread, "%q: %v", answer, err)
		}
	}
	answer = another
	for _, href := range []string{"/unknown/1", "/webhooks/types", "/activitycodes?Offset=1"} {
		assert.NoError(t, client.Follow(t.Context(), models.Link{Href: href}, new(models.Object)), "what the description does not name: %s", href)
	}
}

func TestAnElementThatIsNoRecordIsARecordErrorAndTheWalkGoesOn(t *testing.T) {
	t.Parallel()
	answer := `{"value":[{"id":"1"},{},null,{"error":"internal"},{"id":null,"subject":""},{"id":"2"}],"size":6}`
	client, _ := answering(t, &answer)
	check := func(name string, ids []string, errs []error) {
		assert.Equal(t, []string{"1", "2"}, ids, name)
		assert.Len(t, errs, 4, name)
		for _, err := range errs {
			_, one := errors.AsType[*practice.RecordError](err)
			assert.True(t, one, "%s: %v", name, err)
		}
	}
	var ids []string
	var errs []error
	for fee, err := range client.Fees.All(t.Context(), askedID, practice.FeeListOptions{}) {
		if err != nil {
			errs = append(errs, err)
			continue
		}
		ids = append(ids, fee.ID)
	}
	check("a walk", ids, errs)

	ids, errs = nil, nil
	for record, err := range client.CallAll(t.Context(), "listFees", map[string]any{"matterId": askedID}, nil) {
		if err != nil {
			errs = append(errs, err)
			continue
		}
		var fee models.Fee
		require.NoError(t, json.Unmarshal(record, &fee))
		ids = append(ids, fee.ID)
	}
	check("a walk by name", ids, errs)

	page, err := client.Fees.List(t.Context(), askedID, practice.FeeListOptions{})
	ids, errs = nil, nil
	for _, fee := range page.Items {
		ids = append(ids, fee.ID)
	}
	for _, one := range testkit.RecordErrors(err) {
		errs = append(errs, one)
	}
	check("a page", ids, errs)
}

// TestTheDescriptionNamesTheMemberOfEveryRecordReadByItsID checks that a new
// operation cannot be left out: a read whose path ends with an id names it.
func TestTheDescriptionNamesTheMemberOfEveryRecordReadByItsID(t *testing.T) {
	t.Parallel()
	var without []string
	for o := range singleReads() {
		if strings.HasSuffix(o.Path, "}") && len(o.Identity) == 0 {
			without = append(without, o.ID)
		}
	}
	slices.Sort(without)
	assert.Equal(t, []string{"getContactRelation", "getFilePreviewVersion"}, without, "they answer a link and an address")
}

func TestARecordOfTheOtherCaseIsTheRecordOfItsID(t *testing.T) {
	t.Parallel()
	answer := `{"id":"` + strings.ToUpper(askedID) + `","lastName":"Quinn"}`
	client, _ := answering(t, &answer)
	member, err := client.Staff.Get(context.Background(), askedID)
	require.NoError(t, err)
	assert.Equal(t, "Quinn", member.LastName)
}
