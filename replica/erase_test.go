package replica

import (
	"bytes"
	"database/sql"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

func TestAnErasedRecordDoesNotComeBack(t *testing.T) {
	t.Parallel()
	onlyInFiles(t)
	server := practicetest.New(t)
	file := filepath.Join(t.TempDir(), "firm.db")
	db := openDB(t, file)
	c, err := Open(t.Context(), db, server.Client(t), Options{Kinds: []string{"contacts"}})
	require.NoError(t, err)
	id := server.AddContact(models.ContactWrite{Company: models.CompanyWrite{Name: "Quicksilver Holdings"}})
	require.NoError(t, c.Sync(t.Context()))
	require.Contains(t, stored(t, c), "contacts "+id)

	require.NoError(t, c.Erase(t.Context(), "contacts", id))
	for _, name := range []string{file, file + "-wal"} {
		content, err := os.ReadFile(name)
		if err == nil {
			assert.NotContains(t, string(content), "Quicksilver", name)
			assert.NotContains(t, string(content), id, name)
		}
	}
	require.NoError(t, c.Hint(t.Context(), eventOf(t, "contact.updated", id, "")))
	require.NoError(t, c.Sync(t.Context()))
	require.NotContains(t, stored(t, c), "contacts "+id)
	changes, err := c.Changes(t.Context(), 0, 1000)
	require.NoError(t, err)
	for _, change := range changes {
		assert.NotEqual(t, id, change.ID)
	}
	assert.Equal(t, 1, statusOf(t, c, "contacts").Erased)

	require.NoError(t, c.Unerase(t.Context(), "contacts", id))
	require.NoError(t, c.Hint(t.Context(), eventOf(t, "contact.updated", id, "")))
	require.NoError(t, c.Sync(t.Context()))
	require.Contains(t, stored(t, c), "contacts "+id)
	require.ErrorIs(t, c.Erase(t.Context(), "letters", id), ErrUnknownKind)
	require.ErrorIs(t, c.Unerase(t.Context(), "letters", id), ErrUnknownKind)
}

// A reader that still needs the log keeps what was erased in it, but not for longer
// than until the first round after it.
func TestWhatAReaderKeptInTheLogIsErasedByALaterRound(t *testing.T) {
	t.Parallel()
	onlyInFiles(t)
	const name = "Quicksilver"
	for _, erase := range []func(*Copy, string){
		func(c *Copy, id string) { require.NoError(t, c.Erase(t.Context(), "contacts", id)) },
		func(c *Copy, _ string) {
			_, err := Open(t.Context(), c.store.DB, c.client, Options{Kinds: []string{"contacts"}, WithoutPersonalData: true})
			require.NoError(t, err)
		},
	} {
		server := practicetest.New(t, small...)
		file := filepath.Join(t.TempDir(), "firm.db")
		options := Options{Kinds: []string{"contacts"}}
		c, err := Open(t.Context(), impatient(t, file), server.Client(t), options)
		require.NoError(t, err)
		id := server.AddContact(models.ContactWrite{Company: models.CompanyWrite{Name: name}})
		require.NoError(t, c.Sync(t.Context()))
		has := func() bool {
			log, err := os.ReadFile(file + "-wal")
			require.NoError(t, err)
			all, err := os.ReadFile(file)
			require.NoError(t, err)
			return bytes.Contains(append(log, all...), []byte(name))
		}
		reader, err := impatient(t, file).BeginTx(t.Context(), &sql.TxOptions{ReadOnly: true})
		require.NoError(t, err)
		var records int
		require.NoError(t, reader.QueryRowContext(t.Context(), `SELECT count(*) FROM contacts_all`).Scan(&records))
		erase(c, id)
		require.True(t, has(), "the reader still sees it")
		require.NoError(t, reader.Rollback())
		again, err := Open(t.Context(), c.store.DB, server.Client(t), options)
		require.NoError(t, err)
		require.NoError(t, again.Sync(t.Context()))
		assert.False(t, has())
	}
}

// impatient opens a database that does not wait for readers.
func impatient(t *testing.T, file string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+file+"?_pragma=busy_timeout(50)&_pragma=journal_mode(wal)")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	return db
}

// SQLite leaves parts of records in the pages from which it moves them. The file
// contains no part of an erased record, unless another record contains it too.
func TestNoPartOfAnErasedRecordRemainsInTheFile(t *testing.T) {
	t.Parallel()
	onlyInFiles(t)
	file := filepath.Join(t.TempDir(), "firm.db")
	db := openDB(t, file)
	kinds := []string{"contacts", "fees", "memos"}
	c, err := Open(t.Context(), db, practicetest.New(t).Client(t), Options{Kinds: kinds})
	require.NoError(t, err)
	require.NoError(t, c.Sync(t.Context()))
	var erased []string
	for key, text := range stored(t, c) {
		if kind, id, _ := strings.Cut(key, " "); slices.Contains(kinds, kind) {
			require.NoError(t, c.Erase(t.Context(), kind, id))
			erased = append(erased, text)
		}
	}
	live := file + ".live"
	_, err = db.ExecContext(t.Context(), `VACUUM INTO ?`, live)
	require.NoError(t, err)
	var bytesOf [3][]byte
	for i, name := range []string{live, file, file + "-wal"} {
		bytesOf[i], err = os.ReadFile(name)
		require.NoError(t, err)
	}
	const part = 24
	for _, text := range erased {
		for i := 0; i+part <= len(text); i += part / 2 {
			some := []byte(text[i : i+part])
			if !bytes.Contains(bytesOf[0], some) {
				require.False(t, bytes.Contains(bytesOf[1], some) || bytes.Contains(bytesOf[2], some), "%s of %s", some, text)
			}
		}
	}
}

// The lists below an erased record are no longer requested, and its id is removed
// with them, even if one is being read meanwhile.
func TestTheIDOfAnErasedRecordRemainsInNoList(t *testing.T) {
	t.Parallel()
	for _, status := range []int{http.StatusOK, http.StatusForbidden} {
		server, erase := practicetest.New(t, small...), false
		id := server.Firm().MatterID
		var c *Copy
		c = copyOf(t, inPlaceOf(t, server, func(r *http.Request) (int, string) {
			if !erase || !strings.HasSuffix(r.URL.Path, id+"/fees") {
				return 0, ""
			}
			require.NoError(t, c.Erase(t.Context(), "matters", id))
			return status, pageOf(nil, 0)
		}), Options{Kinds: []string{"fees"}})
		for _, erase = range []bool{false, true, false} {
			require.NoError(t, c.Sync(t.Context()))
		}
		var lists int
		require.NoError(t, c.store.Row(t.Context(), `SELECT count(*) FROM copy_lists WHERE parent = ?`, id).Scan(&lists))
		assert.Zero(t, lists, status)
	}
}
