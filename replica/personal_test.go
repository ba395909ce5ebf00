package replica

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/members"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

// eachText passes the text members of a type and of those in it to do, with the
// Go name of their object. It does not look into members that do refuses.
func eachText(t reflect.Type, seen map[reflect.Type]bool, do func(object, member string, of reflect.Type) bool) {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || strings.HasPrefix(t.Name(), "Opt[") {
		if t.Kind() != reflect.Struct {
			t = t.Elem()
			continue
		}
		get, _ := t.MethodByName("Get")
		t = get.Type.Out(0)
	}
	if t.Kind() != reflect.Struct || seen[t] {
		return
	}
	seen[t] = true
	for _, field := range reflect.VisibleFields(t) {
		member, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if member != "" && member != "-" && do(t.Name(), member, field.Type) {
			eachText(field.Type, seen, do)
		}
	}
}

// decisions returns, for each object of the kinds, a line with the text members
// for each thing that a copy without personal data does with them.
func decisions(kinds []*kind) (all []string) {
	seen, decided := map[reflect.Type]bool{}, map[string][]string{}
	for _, k := range kinds {
		eachText(reflect.TypeOf(k.listing.NewAnswer()), seen, func(object, member string, of reflect.Type) bool {
			decision := ""
			switch {
			case members.Personal(object, member):
				decision = "left out: personal"
			case members.FreeText(object, member):
				decision = "left out: free text"
			case of.Kind() == reflect.Map || of.Kind() == reflect.Interface || of == reflect.TypeFor[json.RawMessage]():
				decision = "left out: not described"
			case of.Kind() == reflect.String || of == reflect.TypeFor[[]string]():
				decision = "stored"
			}
			if decision != "" {
				decided[object+" "+decision] = append(decided[object+" "+decision], member)
			}
			return !strings.HasPrefix(decision, "left out")
		})
	}
	for decision, names := range decided {
		slices.Sort(names)
		all = append(all, decision+": "+strings.Join(slices.Compact(names), " "))
	}
	return all
}

// Each text member of the kinds has a decision. Someone must decide on a new
// one: mark it in api/, and add it to the list.
func TestEachTextMemberIsDecidedOn(t *testing.T) {
	t.Parallel()
	kinds, err := chosen(Kinds())
	require.NoError(t, err)
	testkit.AssertLines(t, "testdata/members.txt", "mark the members in api/ that are personal or free text, and add the line", decisions(kinds))
}

// full returns JSON of a type in which each text is the name of its member.
func full(t reflect.Type, text string, depth int) any {
	switch {
	case strings.HasPrefix(t.Name(), "Opt["):
		get, _ := t.MethodByName("Get")
		return full(get.Type.Out(0), text, depth)
	case t.Kind() == reflect.Map && t.Elem().Kind() != reflect.Interface:
		return map[string]any{text: full(t.Elem(), text, depth-1)}
	case t == reflect.TypeFor[json.RawMessage](), t.Kind() == reflect.Interface, t.Kind() == reflect.Map:
		return map[string]any{"any": text}
	case t.Kind() == reflect.String:
		return text
	case t.Kind() == reflect.Slice && depth > 0:
		return []any{full(t.Elem(), text, depth-1)}
	case t.Kind() == reflect.Struct && depth > 0:
		all := map[string]any{}
		for _, field := range reflect.VisibleFields(t) {
			member, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			if value := full(field.Type, "<"+t.Name()+"."+member+">", depth-1); member != "" && member != "-" && value != nil {
				all[member] = value
			}
		}
		if len(all) > 0 {
			all["later"] = text
			return all
		}
	}
	return nil
}

// A copy without personal data has the members that are stored, and no other
// text, neither as JSON nor in a column.
func TestOnlyMembersThatAreDescribedAndNotMarkedAreStored(t *testing.T) {
	t.Parallel()
	kinds, err := chosen(Kinds())
	require.NoError(t, err)
	for _, k := range kinds {
		of := reflect.TypeOf(k.listing.NewAnswer()).Elem()
		text, err := json.Marshal(full(of, "", 5))
		require.NoError(t, err)
		if k.impersonal = k.anonymous(); !k.impersonal {
			continue
		}
		found, err := k.decode(text, "parent")
		require.NoError(t, err, k.name)
		columns := ""
		for _, c := range k.columns {
			columns += fmt.Sprint(k.value(c, &found))
		}
		assert.NotContains(t, found.text, `"later"`, k.name)
		for _, line := range decisions([]*kind{k}) {
			member, decision, _ := strings.Cut(line, " ")
			marker, err := json.Marshal("<" + member + ">")
			require.NoError(t, err)
			if decision == "stored" {
				assert.Contains(t, found.text, string(marker[1:len(marker)-1]), k.name)
			} else {
				assert.NotContains(t, found.text, string(marker[1:len(marker)-1]), k.name)
				assert.NotContains(t, columns, "<"+member+">", k.name)
			}
		}
	}
}

// When it is switched on, what is stored already leaves the file; a process
// that would store it again can write no more.
func TestPersonalDataAreRemovedWhenThatIsSwitchedOn(t *testing.T) {
	t.Parallel()
	server := practicetest.New(t, small...)
	client := server.Client(t)
	const name = "Quicksilver"
	contact := server.AddContact(models.ContactWrite{Company: models.CompanyWrite{Name: name}})
	_, err := client.Memos.Create(t.Context(), server.Firm().MatterID, models.MemoWrite{Title: "A call", Text: name})
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "firm.db")
	db := openDB(t, file)
	stale, err := Open(t.Context(), db, client, Options{Kinds: []string{"contacts", "memos", "contact_tags", "groups"}})
	require.NoError(t, err)
	require.NoError(t, stale.Sync(t.Context()))
	_, err = client.Contacts.Delete(t.Context(), server.Firm().RelatedContactID)
	require.NoError(t, err)
	server.Settle()
	require.NoError(t, stale.Sync(t.Context()))

	without := Options{Kinds: []string{"contacts", "memos"}, WithoutPersonalData: true}
	c, err := Open(t.Context(), db, client, without)
	require.NoError(t, err)
	for _, file := range []string{file, file + "-wal"} {
		content, err := os.ReadFile(file)
		require.True(t, err == nil || os.Getenv(overPostgres) != "", err)
		assert.NotContains(t, string(content), name, file)
	}
	require.ErrorIs(t, stale.Sync(t.Context()), ErrTakenOver)

	before, err := c.LastChange(t.Context())
	require.NoError(t, err)
	again, err := Open(t.Context(), db, client, Options{Kinds: []string{"contacts", "memos"}})
	require.NoError(t, err)
	require.NoError(t, again.Sync(t.Context()))
	after, err := c.LastChange(t.Context())
	require.NoError(t, err)
	assert.Equal(t, before, after, "what was removed is no change")
	assert.Empty(t, differences(t, again))
	all := stored(t, again)
	assert.Equal(t, served(t, c), all)
	assert.Contains(t, all, "contacts "+contact)
	assert.NotContains(t, all, "contacts "+server.Firm().RelatedContactID)
	assert.NotContains(t, fmt.Sprint(all), name)
	var tags int
	require.NoError(t, db.QueryRowContext(t.Context(), `SELECT (SELECT count(*) FROM contact_tags_all) + (SELECT count(*) FROM changes WHERE kind = 'contact_tags')`).Scan(&tags))
	assert.Zero(t, tags, "their ids are texts")
	without.Kinds = []string{"contact_tags"}
	_, err = Open(t.Context(), db, client, without)
	require.ErrorContains(t, err, "contact_tags")
}

// Members and kinds that only another version knows leave the copy too: nothing
// says what they hold.
func TestWhatAnotherVersionStoredIsRemovedToo(t *testing.T) {
	t.Parallel()
	server := practicetest.New(t, small...)
	db := openDB(t, filepath.Join(t.TempDir(), "firm.db"))
	c, err := Open(t.Context(), db, server.Client(t), Options{Kinds: []string{"groups"}})
	require.NoError(t, err)
	require.NoError(t, c.Sync(t.Context()))
	for _, statement := range []string{
		`ALTER TABLE groups_all ADD COLUMN nickname TEXT`, `UPDATE groups_all SET nickname = 'Quicksilver'`,
		`CREATE TABLE letters_all (id TEXT PRIMARY KEY, record TEXT)`, `INSERT INTO letters_all VALUES ('1', 'Quicksilver')`,
		`INSERT INTO copy_kinds VALUES ('letters', '', '')`, `INSERT INTO changes (kind, id, what, at) VALUES ('letters', 'Quicksilver', 'created', 0)`,
	} {
		_, err := db.ExecContext(t.Context(), statement)
		require.NoError(t, err)
	}
	before := len(stored(t, c))
	require.Positive(t, before)
	c, err = Open(t.Context(), db, server.Client(t), Options{Kinds: []string{"groups"}, WithoutPersonalData: true})
	require.NoError(t, err)
	var nicknames, letters, changes int
	require.NoError(t, db.QueryRowContext(t.Context(), `SELECT (SELECT count(nickname) FROM groups_all), (SELECT count(*) FROM letters_all), (SELECT count(*) FROM changes WHERE kind = 'letters')`).
		Scan(&nicknames, &letters, &changes))
	assert.Zero(t, nicknames)
	assert.Zero(t, letters)
	assert.Zero(t, changes)
	assert.Len(t, stored(t, c), before)
	assert.Empty(t, differences(t, c))
}
