package acceptance_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
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
				wrong = append(wrong, recordWith(member, anotherID))
			}
			if without := recordWith("versionId", "1"); !isUnpromised(o) {
				wrong = append(wrong, without)
			}
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
			answer = recordWith(member, strings.ToUpper(askedID))
			assert.NoError(t, client.Call(t.Context(), o.ID, arguments, nil, o.NewAnswer()), "%s of %q", o.ID, answer)
		}
	}
	assert.Greater(t, named, 45)
}

// recordWith returns a record in which a member has the id, or links to it.
func recordWith(member, id string) string {
	if member == "matter" {
		id = `{"id":"` + id + `"}`
	} else {
		id = `"` + id + `"`
	}
	return fmt.Sprintf(`{"href":"https://api.example.test/v1/x","%s":%s,"versionId":"1"}`, member, id)
}

// isUnpromised reports whether the description leaves open that the response
// has the member of its identity. Another value is refused, none is not.
func isUnpromised(o *practice.Operation) bool {
	return slices.Contains([]string{"fileId", "documentVersionId", "invoiceId", "matterId", "matter"}, o.Identity[0])
}

func TestAnAddressThatDoesNotNameItsFileIsTaken(t *testing.T) {
	t.Parallel()
	for _, answer := range []string{`{"uploadUrl":"https://store.example.test/x"}`, `{"fileId":null,"uploadUrl":"https://store.example.test/x"}`, `{"fileId":"","uploadUrl":"https://store.example.test/x"}`} {
		client, _ := answering(t, &answer)
		info, err := client.Documents.GetUploadURL(t.Context(), askedID, askedID)
		require.NoError(t, err, answer)
		assert.False(t, info.UploadURL.IsZero())
	}
}

// TestNoContentMovesByTheAddressOfAnotherFile checks each transfer and each
// write that answers an address: the storage sees no request.
func TestNoContentMovesByTheAddressOfAnotherFile(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	answer := `{"fileId":"` + anotherID + `","invoiceId":"` + anotherID + `","documentVersionId":"` + anotherID + `","downloadUrl":"https://store.example.test/x","uploadUrl":"https://store.example.test/x","sizeBytes":1}`
	upload := practice.Upload{Name: "a.txt", Body: strings.NewReader("x")}
	for name, call := range map[string]func(c *practice.Client) error{
		"an upload of a version": func(c *practice.Client) error {
			_, err := c.Documents.UploadVersion(ctx, askedID, askedID, upload)
			return err
		},
		"a resumed upload": func(c *practice.Client) error {
			_, err := c.Documents.ResumeUpload(ctx, askedID, askedID, upload)
			return err
		},
		"a download": func(c *practice.Client) error {
			_, err := c.Documents.Download(ctx, askedID, askedID, io.Discard, practice.DownloadOptions{})
			return err
		},
		"a download into a file": func(c *practice.Client) error {
			_, err := c.Documents.DownloadFile(ctx, askedID, askedID, filepath.Join(t.TempDir(), "a"), practice.DownloadOptions{})
			return err
		},
		"an open file": func(c *practice.Client) error {
			_, err := c.Documents.Open(ctx, askedID, askedID, practice.OpenOptions{})
			return err
		},
		"an invoice": func(c *practice.Client) error {
			_, err := c.Invoices.Download(ctx, askedID, askedID, io.Discard)
			return err
		},
		"a changed file": func(c *practice.Client) error {
			_, err := c.Documents.PatchFile(ctx, askedID, askedID, models.FilePatch{FileName: models.Some("b.txt")})
			return err
		},
		"a replaced file": func(c *practice.Client) error {
			_, err := c.Documents.UpdateFile(ctx, askedID, askedID, models.FileWrite{FileName: "b.txt"})
			return err
		},
		"a preview": func(c *practice.Client) error {
			_, err := c.Documents.RequestFilePreview(ctx, askedID, askedID)
			return err
		},
		"the preview of a version": func(c *practice.Client) error {
			_, err := c.Documents.GetFileVersionPreview(ctx, askedID, askedID, askedID)
			return err
		},
		"an address read by Do": func(c *practice.Client) error {
			var text []byte
			return c.Do(ctx, practice.Request{Method: "GET", Path: "/matters/{m}/documents/files/{f}/download", PathValues: []string{askedID, askedID}}, &text)
		},
	} {
		stored := 0
		client, err := practice.NewClient("https://api.example.test/v1", practice.WithoutCredentials(), practice.WithRetries(0),
			practice.WithHTTPClient(&http.Client{Transport: testkit.RoundTripper(func(r *http.Request) (*http.Response, error) {
				if r.URL.Host != "api.example.test" {
					stored++
				}
				return testkit.AnswerOf(http.StatusOK, answer), nil
			})}))
		require.NoError(t, err)
		err = call(client)
		require.ErrorIs(t, err, practice.ErrOtherRecord, name)
		_, unread := errors.AsType[*practice.DecodeError](err)
		assert.True(t, unread, "%s: %v", name, err)
		assert.Zero(t, stored, name)
	}
}

// TestAnAliasIsNoID reads the own firm, which links name by a word.
func TestAnAliasIsNoID(t *testing.T) {
	t.Parallel()
	answer := `{"id":"` + anotherID + `","name":"The firm"}`
	client, _ := answering(t, &answer)
	for _, alias := range []string{"MyFirm", "myfirm"} {
		contact, err := client.Contacts.Get(t.Context(), alias)
		require.NoError(t, err)
		assert.Equal(t, anotherID, contact.ID)
		require.NoError(t, client.Follow(t.Context(), models.Link{Href: "/contacts/" + alias}, contact))
		require.NoError(t, client.Call(t.Context(), "getContact", map[string]any{"id": alias}, nil, contact))
		require.NoError(t, client.Do(t.Context(), practice.Request{Method: "GET", Path: "/contacts/" + alias}, contact))
	}
	_, err := client.Contacts.Get(t.Context(), "MyFirms")
	require.ErrorIs(t, err, practice.ErrOtherRecord)
	_, err = client.Staff.Get(t.Context(), askedID)
	require.ErrorIs(t, err, practice.ErrOtherRecord)
	answer = `{"error":"MyFirm"}`
	_, err = client.Contacts.Get(t.Context(), "MyFirm")
	require.ErrorIs(t, err, practice.ErrOtherRecord)
}

// TestAPathOfTheCallersOwnReadsTheSameRecord checks Do and Follow with names,
// ids and spellings of the path that the description does not have.
func TestAPathOfTheCallersOwnReadsTheSameRecord(t *testing.T) {
	t.Parallel()
	answer := `{"id":"` + anotherID + `","subject":"Advice"}`
	client, _ := answering(t, &answer)
	for path, values := range map[string][]string{
		"/matters/{m}/fees/{f}":                    {askedID, askedID},
		"/matters/" + askedID + "/fees/{f}":        {askedID},
		"/matters/" + askedID + "/fees/" + askedID: nil,
		"/Matters/" + askedID + "/Fees/" + askedID: nil,
	} {
		var text json.RawMessage
		err := client.Do(t.Context(), practice.Request{Method: "GET", Path: path, PathValues: values}, &text)
		require.ErrorIs(t, err, practice.ErrOtherRecord, path)
		require.NoError(t, client.Do(t.Context(), practice.Request{Method: "POST", Path: path, PathValues: values}, &text), "no operation of the description")
	}
	for _, href := range []string{"/Matters/" + askedID + "/fees/" + askedID, "/matters/" + askedID + "/fees/" + askedID + "/"} {
		require.ErrorIs(t, client.Follow(t.Context(), models.Link{Href: href}, new(models.Fee)), practice.ErrOtherRecord, href)
	}
}

// TestTheEmbeddedServiceAndAStubAreHeldToTheSameRule reads each record of the
// embedded service by its id in capitals, and a stub that answers another one.
func TestTheEmbeddedServiceAndAStubAreHeldToTheSameRule(t *testing.T) {
	t.Parallel()
	server := practicetest.New(t)
	client := server.Client(t)
	f := server.Firm()
	for path, record := range map[string]any{
		"/matters/" + f.MatterID + "/fees/" + strings.ToUpper(f.FeeID): new(models.Fee),
		"/contacts/" + strings.ToUpper(f.ContactID):                    new(models.Contact),
		"/staff/" + strings.ToUpper(f.StaffID):                         new(models.StaffMember),
		"/matters/" + strings.ToUpper(f.MatterID) + "/archive":         new(models.MatterArchive),
		"/matters/" + strings.ToUpper(f.MatterID) + "/stages":          new(models.MatterStage),
		"/matters/" + strings.ToUpper(f.MatterID) + "/roles":           new(models.MatterRoles),
	} {
		assert.NoError(t, client.Follow(t.Context(), models.Link{Href: path}, record), path)
	}
	server.Stub("GET /staff/{id}", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`{"id":"` + f.StaffIDs[1] + `","lastName":"Quinn"}`))
	}))
	_, err := client.Staff.Get(t.Context(), f.StaffIDs[0])
	require.ErrorIs(t, err, practice.ErrOtherRecord)
	member, err := client.Staff.Get(t.Context(), f.StaffIDs[1])
	require.NoError(t, err)
	assert.Equal(t, "Quinn", member.LastName)
}

// TestNoModifyWritesWhatItDidNotRead calls each Modify method of each service.
func TestNoModifyWritesWhatItDidNotRead(t *testing.T) {
	t.Parallel()
	methods := 0
	for service := range reflect.TypeFor[practice.Client]().Fields() {
		for i := range service.Type.NumMethod() {
			name := service.Type.Method(i).Name
			if !strings.HasPrefix(name, "Modify") {
				continue
			}
			methods++
			var answer string
			client, writes := answering(t, &answer, practice.WithLoss(practice.UnknownMembers))
			modify := reflect.ValueOf(client).Elem().FieldByIndex(service.Index).Method(i)
			arguments := []reflect.Value{reflect.ValueOf(t.Context())}
			for modify.Type().In(len(arguments)).Kind() == reflect.String {
				arguments = append(arguments, reflect.ValueOf(askedID))
			}
			arguments = append(arguments, reflect.MakeFunc(modify.Type().In(len(arguments)), func([]reflect.Value) []reflect.Value {
				return []reflect.Value{reflect.Zero(reflect.TypeFor[error]())}
			}))
			wrong := noRecords()
			if name != "ModifyBillingConfiguration" && service.Name != "Firm" { // they have no id that the caller knows
				wrong = append(wrong, `{"name":"the proxy"}`, `{"id":"`+anotherID+`","versionId":"1"}`)
			}
			for _, answer = range wrong {
				failed, _ := modify.Call(arguments)[1].Interface().(error)
				_, unread := errors.AsType[*practice.DecodeError](failed)
				assert.True(t, unread, "%s.%s, answered by %q: %v", service.Name, name, answer, failed)
				assert.Zero(t, *writes, "%s.%s, answered by %q: %v", service.Name, name, answer, failed)
			}
		}
	}
	assert.Greater(t, methods, 20)
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
	assert.Equal(t, []string{"getContactRelation"}, without, "it answers a link")
}

func TestARecordOfTheOtherCaseIsTheRecordOfItsID(t *testing.T) {
	t.Parallel()
	answer := `{"id":"` + strings.ToUpper(askedID) + `","lastName":"Quinn"}`
	client, _ := answering(t, &answer)
	member, err := client.Staff.Get(context.Background(), askedID)
	require.NoError(t, err)
	assert.Equal(t, "Quinn", member.LastName)
}
