package fuzztest

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/codec"
	"github.com/practicesdk/practice-go/models"
)

// record is implemented by generated records.
type record[T any] interface {
	*T
	json.Unmarshaler
	json.Marshaler
}

// compare decodes the text with the codec and with the strict parser, and
// checks that both accept the same texts and return the same values.
func compare[T any, P record[T]](t *testing.T, data []byte) {
	t.Helper()
	tree, parseErr := parse(data)
	var got T
	faults, err := codec.Decode(data, P(&got), models.Wire)
	plainErr := codec.Unmarshal(data, P(new(T)), models.Wire)
	require.Equal(t, err == nil && len(faults) == 0, plainErr == nil, "Unmarshal and Decode agree")
	if parseErr != nil {
		if _, grammarErr := parse(data, jsontext.AllowDuplicateNames(true)); grammarErr != nil {
			require.Error(t, err, "%q: %v", data, grammarErr)
		}
		require.Error(t, plainErr, "%q: %v", data, parseErr)
		return
	}
	typ := reflect.TypeFor[T]()
	if !tree.isNothing() && !fits(tree, typ) {
		require.Error(t, err, "%q", data)
		return
	}
	require.NoError(t, err, "%q", data)
	require.Len(t, faults, faultsOf(tree, typ), "%q", data)
	for i, fault := range faults {
		require.NotEmpty(t, fault.Path)
		require.True(t, i == 0 || faults[i-1].Index < fault.Index, "%q", data)
		_, err := parse(fault.Raw)
		require.NoError(t, err, "%q", fault.Raw)
	}
	same(t, "", tree, reflect.ValueOf(got))
	roundTrip[T, P](t, got)
}

// roundTrip checks that the codec's output is strict JSON and decodes to the
// same value.
func roundTrip[T any, P record[T]](t *testing.T, got T) {
	t.Helper()
	written, err := codec.AppendRequest(nil, P(&got), models.Wire)
	require.NoError(t, err)
	_, err = parse(written, jsontext.AllowInvalidUTF8(false))
	require.NoError(t, err, "%q", written)
	var again T
	faults, err := codec.Decode(written, P(&again), models.Wire)
	require.NoError(t, err, "%q", written)
	require.Empty(t, faults)
	rewritten, err := codec.AppendRequest(nil, P(&again), models.Wire)
	require.NoError(t, err)
	require.Equal(t, string(written), string(rewritten))
	if _, hasExtra := reflect.TypeFor[T]().FieldByName("Extra"); hasExtra {
		require.Equal(t, got, again, "%q", written)
	}
}

// addSeeds adds the texts in testdata and the samples of the models whose names
// match.
func addSeeds(f *testing.F, samples ...string) {
	f.Helper()
	for _, pattern := range append(samples, "seeds/*.json") {
		if pattern != "seeds/*.json" {
			pattern = "../../../models/testdata/" + pattern
		} else {
			pattern = "testdata/" + pattern
		}
		paths, err := filepath.Glob(pattern)
		require.NoError(f, err)
		require.NotEmpty(f, paths, pattern)
		for _, path := range paths {
			text, err := os.ReadFile(path)
			require.NoError(f, err)
			f.Add(text)
		}
	}
}

// corpus returns the interesting texts that the fuzzer found earlier. The file
// has one quoted text per line.
func corpus(t testing.TB, name string) (texts [][]byte) {
	t.Helper()
	file, err := os.ReadFile(filepath.Join("testdata", "corpus", name+".txt"))
	require.NoError(t, err)
	for line := range strings.Lines(string(file)) {
		text, err := strconv.Unquote(strings.TrimSuffix(line, "\n"))
		require.NoError(t, err)
		texts = append(texts, []byte(text))
	}
	return texts
}

func fuzzRecord[T any, P record[T]](f *testing.F, samples ...string) {
	f.Helper()
	addSeeds(f, samples...)
	for _, text := range corpus(f, f.Name()) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, data []byte) { compare[T, P](t, data) })
}

func FuzzCalendarEvents(f *testing.F) {
	fuzzRecord[models.Collection[models.CalendarEvent]](f, "responses/listEvents.*.json")
}

func FuzzBankAccounts(f *testing.F) {
	fuzzRecord[models.Collection[models.BankAccount]](f, "responses/listBankAccounts.*.json")
}

func FuzzFolderListing(f *testing.F) {
	fuzzRecord[models.FolderListingPage](f, "responses/get*Folder.*.json")
}

func FuzzSubscription(f *testing.F) {
	fuzzRecord[models.Subscription](f, "responses/getSubscription.*.json")
}

func FuzzWebhooks(f *testing.F) {
	fuzzRecord[models.Collection[models.WebhookSubscription]](f, "responses/listWebhooks.*.json", "responses/createWebhook.*.json")
}

func FuzzFeePatch(f *testing.F) {
	fuzzRecord[models.FeePatch](f, "requests/patchFee.*.json")
}
