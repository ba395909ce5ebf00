package models_test

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/codec"
	"github.com/practicesdk/practice-go/internal/description"
	"github.com/practicesdk/practice-go/models"
)

// sampleTypes returns the record type of each sample, by the first part of its
// file name.
func sampleTypes() map[string]record {
	return map[string]record{
		"responses/addContactTags":         &models.Link{},
		"responses/createFile":             &models.UploadInfo{},
		"responses/createFolder":           &models.Link{},
		"responses/createWebhook":          &models.WebhookSubscription{},
		"responses/deleteStaff":            &models.Link{},
		"responses/getExpense":             &models.Expense{},
		"responses/getFileDownload":        &models.DownloadInfo{},
		"responses/getFileUpload":          &models.UploadInfo{},
		"responses/getFolder":              &models.FolderListingPage{},
		"responses/getMatterRelationships": &models.MatterRelationships{},
		"responses/getPaymentMethod":       &models.PaymentMethod{},
		"responses/getPolicy":              &models.Policy{},
		"responses/getRootFolder":          &models.FolderListingPage{},
		"responses/getStaff":               &models.StaffMember{},
		"responses/getSubscription":        &models.Subscription{},
		"responses/listBankAccounts":       &models.Collection[models.BankAccount]{},
		"responses/listContactRelations":   &models.Collection[models.Link]{},
		"responses/listEvents":             &models.Collection[models.CalendarEvent]{},
		"responses/listPromotions":         &models.Collection[models.Promotion]{},
		"responses/listWebhooks":           &models.Collection[models.WebhookSubscription]{},
		"responses/listWebhookTypes":       &models.Collection[models.EventType]{},
		"responses/patchFee":               &models.Link{},
		"responses/removeContactTags":      &models.Link{},
		"responses/updateContactRelation":  &models.Link{},
		"requests/createFile":              &models.FileCreate{},
		"requests/createFolder":            &models.FolderWrite{},
		"requests/createWebhook":           &models.WebhookSubscriptionWrite{},
		"requests/patchFee":                &models.FeePatch{},
		"requests/patchFolder":             &models.FolderPatch{},
		"requests/sendPortalMessage":       &models.PortalMessage{},
		"requests/updateContactRelation":   &models.RelationWrite{},
		"notifications/onNotification":     &models.Notification{},
		"errors/gateway-forbidden":         &models.Problem{},
		"errors/problem-400":               &models.Problem{},
		"errors/problem-errors-array":      &models.Problem{},
		"errors/problem-errors-object":     &models.Problem{},
		"errors/token-error":               &models.Problem{},
	}
}

// api is the description of the API.
var api = sync.OnceValues(func() (*description.Document, error) { return description.Load(os.DirFS("../api")) })

// sampleType returns a new record of a sample's type, which for the samples of
// api/ follows from their operation. It is the type of one element of a list.
func sampleType(t *testing.T, name string) (record, bool) {
	t.Helper()
	kind, _, _ := strings.Cut(name, ".")
	if v, ok := sampleTypes()[kind]; ok {
		return v, true
	}
	o := operationOf(t, kind)
	if o == nil {
		return nil, false
	}
	of := o.Answer
	if strings.HasPrefix(kind, "api/requests/") {
		of = o.Body.Type
	}
	all := recordTypes()
	i := slices.IndexFunc(all, func(v record) bool { return of != nil && of.Ref != nil && bareName(v) == of.Ref.GoName })
	if i < 0 || of != o.Answer && o.Body.List {
		return nil, false
	}
	return sameKind(all[i]), true
}

// operationOf returns the operation that a sample is named after, or nil.
func operationOf(t *testing.T, kind string) *description.Operation {
	t.Helper()
	document, err := api()
	require.NoError(t, err)
	return document.Operation(path.Base(kind))
}

// notJSON returns the names of the error body samples that contain no record.
func notJSON() []string { return []string{"errors/empty-body", "errors/not-json"} }

func TestSamplesKeepEverything(t *testing.T) {
	t.Parallel()
	seen := 0
	for _, name := range sampleNames(t) {
		v, ok := sampleType(t, name)
		if !ok {
			kind, _, _ := strings.Cut(name, ".")
			require.Contains(t, notJSON(), kind, "sample %s has no type", name)
			continue
		}
		seen++
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text := readSample(t, name)
			faults, err := codec.Decode(text, v, models.Wire)
			require.NoError(t, err)
			require.Empty(t, faults)

			encoded, err := codec.AppendRequest(nil, v, models.Wire)
			require.NoError(t, err)
			again := sameKind(v)
			faults, err = codec.Decode(encoded, again, models.Wire)
			require.NoError(t, err)
			require.Empty(t, faults)

			assert.Equal(t, v, again, "decoding what was encoded gives the same record")
			assert.Equal(t, essence(t, text), essence(t, encoded), "nothing of the sample is lost")
		})
	}
	assert.GreaterOrEqual(t, seen, 50)
}

func TestErrorBodiesWithoutJSONAreRefused(t *testing.T) {
	t.Parallel()
	for _, name := range notJSON() {
		_, err := codec.Decode(readSample(t, name+".json"), &models.Problem{}, models.Wire)
		assert.Error(t, err, name)
	}
}

// TestSecretsNeedTheRequestEncoder checks the one intended loss: a secret is
// written only into request bodies.
func TestSecretsNeedTheRequestEncoder(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"responses/createFile.full.json", "responses/getFileDownload.full.json", "responses/createWebhook.full.json"} {
		kind, _, _ := strings.Cut(name, ".")
		v := sampleTypes()[kind]
		require.NoError(t, codec.Unmarshal(readSample(t, name), v, models.Wire))
		encoded, err := json.Marshal(v)
		require.NoError(t, err)
		assert.Contains(t, string(encoded), "[redacted]", name)
		assert.NotContains(t, string(encoded), "k-0123456789", name)
		assert.NotContains(t, string(encoded), "Signature", name)
	}
}

// sampleNames returns the samples with valid records, as directory/file.
func sampleNames(t *testing.T) []string {
	t.Helper()
	var names []string
	err := filepath.WalkDir("testdata", func(path string, d fs.DirEntry, err error) error {
		name := strings.TrimPrefix(filepath.ToSlash(path), "testdata/")
		dir, _, _ := strings.Cut(name, "/")
		if err == nil && !d.IsDir() && dir != "requests-invalid" && dir != "fuzz" {
			names = append(names, name)
		}
		return err
	})
	require.NoError(t, err)
	described, err := filepath.Glob("../api/samples/*/*.json")
	require.NoError(t, err)
	for _, file := range described {
		name := strings.Replace(filepath.ToSlash(file), "../api/samples/", "api/", 1)
		if _, ok := sampleType(t, name); !ok {
			continue
		}
		kind, _, _ := strings.Cut(name, ".")
		if !strings.HasPrefix(kind, "api/responses/") || operationOf(t, kind).Paging == nil {
			names = append(names, name)
			continue
		}
		for i := range elements(readSample(t, name)) {
			names = append(names, name+"#"+strconv.Itoa(i))
		}
	}
	return names
}

// readSample returns a sample, or with #0 after its name, its first element.
func readSample(tb testing.TB, name string) []byte {
	tb.Helper()
	name, element, isElement := strings.Cut(name, "#")
	file := filepath.Join("testdata", filepath.FromSlash(name))
	if rest, ok := strings.CutPrefix(name, "api/"); ok {
		file = filepath.Join("..", "api", "samples", filepath.FromSlash(rest))
	}
	text, err := os.ReadFile(file)
	require.NoError(tb, err)
	if !isElement {
		return text
	}
	i, err := strconv.Atoi(element)
	require.NoError(tb, err)
	return elements(text)[i]
}

// elements returns the elements of a list or of a page.
func elements(text []byte) (list []json.RawMessage) {
	if json.Unmarshal(text, &list) == nil {
		return list
	}
	var page struct{ Value []json.RawMessage }
	_ = json.Unmarshal(text, &page) // an element that is no object fails as a record
	return page.Value
}

// essence decodes a JSON text for comparison. Numbers keep their literal text;
// null and empty strings, lists and objects are removed; the member rel is
// renamed to relation; and a bare list becomes the value of a collection.
func essence(t *testing.T, text []byte) any {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var v any
	require.NoError(t, decoder.Decode(&v))
	if list, ok := v.([]any); ok {
		v = map[string]any{"value": list}
	}
	return withoutNothing(v)
}

func withoutNothing(v any) any {
	switch v := v.(type) {
	case map[string]any:
		kept := make(map[string]any)
		for name, member := range v {
			if name == "rel" {
				name = "relation"
			}
			if day, is := member.(string); is && (strings.HasSuffix(name, "Only") || name == "expenseDate") {
				member = strings.TrimSuffix(strings.TrimSuffix(day, "Z"), "T00:00:00") // the time of a date has no meaning
			}
			if member = withoutNothing(member); member != nil {
				kept[name] = member
			}
		}
		if len(kept) == 0 {
			return nil
		}
		return kept
	case []any:
		kept := make([]any, len(v))
		for i := range v {
			kept[i] = withoutNothing(v[i])
		}
		if len(kept) == 0 {
			return nil
		}
		return kept
	case string:
		if v == "" {
			return nil
		}
	}
	return v
}

// TestASampleOfALocalTimeHasNoZone checks the times of calendar events in the
// samples that the reference shows.
func TestASampleOfALocalTimeHasNoZone(t *testing.T) {
	t.Parallel()
	samples, err := filepath.Glob(filepath.Join("..", "api", "samples", "*", "*Event*.json"))
	require.NoError(t, err)
	times := 0
	for _, sample := range samples {
		text, err := os.ReadFile(sample)
		require.NoError(t, err)
		for _, match := range regexp.MustCompile(`"(?:start|end)Time": "([^"]+)"`).FindAllSubmatch(text, -1) {
			times++
			at, err := models.ParseLocalDateTime(string(match[1]))
			require.NoError(t, err, sample)
			assert.False(t, at.HasZone(), "%s: %s", sample, match[0])
		}
	}
	assert.Positive(t, times)
}
