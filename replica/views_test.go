package replica

import (
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

// The report of docs/replica.md shows what the service itself adds up to, and
// the names that it has.
func TestAReportInSQLEqualsTheService(t *testing.T) {
	t.Parallel()
	server := practicetest.New(t, small...)
	client := server.Client(t)
	c := copyOf(t, client, Options{Kinds: []string{"fees", "contacts", "staff"}})
	require.NoError(t, c.Sync(t.Context()))
	type line struct{ title, clients, amount string }
	want, got := map[string]line{}, map[string]line{}
	for matter, err := range client.Matters.All(t.Context(), practice.MatterListOptions{Type: models.MatterListTypeMattersLeads}) {
		require.NoError(t, err)
		sum := models.MustDecimal("0")
		for fee, err := range client.Fees.All(t.Context(), matter.ID, practice.FeeListOptions{}) {
			require.NoError(t, err)
			if !fee.IsDeleted.Or(false) && fee.Amount.IsPresent() {
				sum, err = sum.Add(fee.Amount)
				require.NoError(t, err)
			}
		}
		var names string
		for _, link := range matter.Clients {
			contact, err := client.Contacts.Get(t.Context(), link.TargetID())
			require.NoError(t, err)
			if names != "" {
				names += "; "
			}
			names += contact.Name()
		}
		if !sum.IsZero() {
			want[matter.Number+" "+matter.ID] = line{matter.Title, names, sum.Fixed(4)}
		}
	}
	rows, err := c.store.DB.QueryContext(t.Context(), `SELECT coalesce(matter_number, '') || ' ' || matter_id, matter_title, coalesce(client_names, ''), `+tenThousandthsOf(c, "SUM", "amount")+` FROM fees GROUP BY matter_id, matter_number, matter_title, client_names`)
	require.NoError(t, err)
	defer rows.Close()
	for rows.Next() {
		var (
			key string
			of  line
			sum int64
		)
		require.NoError(t, rows.Scan(&key, &of.title, &of.clients, &sum))
		amount, err := models.NewDecimal(sum, 4)
		require.NoError(t, err)
		of.amount = amount.Fixed(4)
		got[key] = of
	}
	require.NoError(t, rows.Err())
	require.NotEmpty(t, want)
	assert.Equal(t, want, got)

	var staff string
	firm := server.Firm()
	require.NoError(t, c.store.Row(t.Context(), `SELECT staff_name FROM fees WHERE id = ?`, firm.FeeID).Scan(&staff))
	fee, err := client.Fees.Get(t.Context(), firm.MatterID, firm.FeeID)
	require.NoError(t, err)
	member, err := client.Staff.Get(t.Context(), fee.Staff.TargetID())
	require.NoError(t, err)
	assert.Equal(t, member.FirstName+" "+member.LastName, staff)
}

// The names beside ids are those of the tables that the database has, whichever
// kinds a run copies.
func TestAViewHasTheNamesOfAllThatWasCopied(t *testing.T) {
	t.Parallel()
	server := practicetest.New(t, small...)
	db := openDB(t, filepath.Join(t.TempDir(), "firm.db"))
	names := func(kinds ...string) (all []string) {
		c, err := Open(t.Context(), db, server.Client(t), Options{Kinds: kinds})
		require.NoError(t, err)
		require.NoError(t, c.Sync(t.Context()))
		rows, err := db.QueryContext(t.Context(), `SELECT matter_number || client_names || staff_name FROM fees ORDER BY id`)
		require.NoError(t, err, kinds)
		defer rows.Close()
		for rows.Next() {
			var text *string
			require.NoError(t, rows.Scan(&text))
			require.NotNil(t, text, kinds)
			all = append(all, *text)
		}
		require.NoError(t, rows.Err())
		return all
	}
	fees, err := Open(t.Context(), db, server.Client(t), Options{Kinds: []string{"fees"}})
	require.NoError(t, err)
	require.NoError(t, fees.Sync(t.Context()))
	want := names("contacts", "staff")
	require.NotEmpty(t, want)
	for _, kinds := range [][]string{{"fees"}, {"memos"}, {"staff", "fees"}} {
		assert.Equal(t, want, names(kinds...), kinds)
	}
}

// tenThousandthsOf returns an expression for a sum of amounts, or for one.
func tenThousandthsOf(c *Copy, function, column string) string {
	if c.store.numbered() {
		return `CAST(` + function + `(` + column + `) * 10000 AS BIGINT)`
	}
	return function + `(` + column + `_e4)`
}

// An amount is exact as a text, and as a whole number only where it has at most
// four decimals.
func TestAmountsAreExact(t *testing.T) {
	t.Parallel()
	kinds, err := chosen([]string{"activity_codes"})
	require.NoError(t, err)
	c := copyOf(t, practicetest.New(t, small...).Client(t), Options{Kinds: []string{"activity_codes"}})
	for text, want := range map[string]*int64{
		"0.1": new(int64(1000)), "385.50": new(int64(3_855_000)), "-0.0001": new(int64(-1)), "0": new(int64(0)), "0.00001": nil,
		"922337203685477.5807": new(int64(9223372036854775807)), "922337203685477.5808": nil, "123456789012345678901234567890.5": nil,
	} {
		r, err := kinds[0].decode([]byte(`{"id":"a","rate":`+text+`}`), "")
		require.NoError(t, err)
		require.NoError(t, c.store.transact(t.Context(), func(tx *transaction) error { return tx.put(kinds[0], &r) }))
		var rate string
		var exact *int64
		if c.store.numbered() {
			exact = want // PostgreSQL needs no such column
			require.NoError(t, c.store.Row(t.Context(), `SELECT CAST(rate AS TEXT) FROM activity_codes_all`).Scan(&rate))
		} else {
			require.NoError(t, c.store.Row(t.Context(), `SELECT rate, rate_e4 FROM activity_codes_all`).Scan(&rate, &exact))
		}
		assert.Equal(t, text, rate)
		assert.Equal(t, want, exact, text)
	}
}

// The text of each record in the copy can be read again, so that a column of a later
// version is filled, personal data are removed, and Verify compares. The text of an
// earlier version has the mask of a secret.
func TestEachStoredRecordCanBeReadAgain(t *testing.T) {
	t.Parallel()
	server := practicetest.New(t)
	client := server.Client(t)
	c := copyOf(t, client, Options{Kinds: Kinds()})
	require.NoError(t, c.Sync(t.Context()))
	assert.Empty(t, differences(t, c))
	mask := `UPDATE plugins_all SET record = '{"key":"[redacted]",' || substr(record, 2)`
	if c.store.numbered() {
		mask = `UPDATE plugins_all SET record = ('{"key":"[redacted]",' || substr(record::text, 2))::json`
	}
	_, err := c.store.DB.ExecContext(t.Context(), mask)
	require.NoError(t, err)
	assert.Empty(t, differences(t, c))
	without, err := Open(t.Context(), c.store.DB, client, Options{WithoutPersonalData: true})
	require.NoError(t, err)
	before, err := without.LastChange(t.Context())
	require.NoError(t, err)
	require.NoError(t, without.Sync(t.Context()))
	after, err := without.LastChange(t.Context())
	require.NoError(t, err)
	assert.Equal(t, before, after)
	assert.Empty(t, differences(t, without))
	for _, k := range c.kinds {
		for _, line := range secretsIn(reflect.TypeOf(k.listing.NewAnswer()), map[reflect.Type]bool{}) {
			assert.Contains(t, k.omitted, line, "%s: a secret within another member would be stored", k.name)
		}
	}
}

// secretsIn returns the members of a type that are secrets, and those in which one
// is.
func secretsIn(t reflect.Type, seen map[reflect.Type]bool) (all []string) {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Map {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || seen[t] {
		return nil
	}
	seen[t] = true
	for _, field := range reflect.VisibleFields(t) {
		if strings.Contains(field.Type.String(), "models.Secret") || len(secretsIn(field.Type, seen)) > 0 {
			member, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			all = append(all, member)
		}
	}
	return all
}

// The copy does not contain the secrets of the description.
func TestSecretsAreNotStored(t *testing.T) {
	t.Parallel()
	kinds, err := chosen([]string{"plugins"})
	require.NoError(t, err)
	r, err := kinds[0].decode([]byte(`{"id":"a","key":"hunter2","name":"Timer"}`), "")
	require.NoError(t, err)
	assert.NotContains(t, r.text, "hunter2")
	other, err := kinds[0].decode([]byte(`{"name":"Timer","key":"hunter3","id":"A"}`), "")
	require.NoError(t, err)
	assert.Equal(t, r.hash, other.hash, "neither a secret, nor the order, nor the case of an id is a change")
}

func TestAColumnOfALaterVersionIsFilledFromTheJSON(t *testing.T) {
	t.Parallel()
	server := practicetest.New(t, small...)
	c := copyOf(t, server.Client(t), Options{Kinds: []string{"fees"}})
	require.NoError(t, c.Sync(t.Context()))
	read := func() (all []string) {
		rows, err := c.store.DB.QueryContext(t.Context(), `SELECT id || ' ' || coalesce(subject, '') || ' ' || matter_id || ' ' || coalesce(`+tenThousandthsOf(c, "", "rate")+`, 0) FROM fees_all ORDER BY id`)
		require.NoError(t, err)
		defer rows.Close()
		for rows.Next() {
			var text string
			require.NoError(t, rows.Scan(&text))
			all = append(all, text)
		}
		require.NoError(t, rows.Err())
		return all
	}
	before := read()
	require.NotEmpty(t, before)
	for _, statement := range []string{"DROP VIEW fees", "ALTER TABLE fees_all DROP COLUMN subject", "ALTER TABLE fees_all DROP COLUMN matter_id", "ALTER TABLE fees_all DROP COLUMN rate"} {
		_, err := c.store.DB.ExecContext(t.Context(), statement)
		require.NoError(t, err)
	}
	_, err := Open(t.Context(), c.store.DB, server.Client(t), Options{Kinds: []string{"fees"}})
	require.NoError(t, err)
	assert.Equal(t, before, read())
}

// No database stores a text with the character 0 well.
func TestATextWithTheCharacterZeroIsStored(t *testing.T) {
	t.Parallel()
	kinds, err := chosen([]string{"groups"})
	require.NoError(t, err)
	c := copyOf(t, practicetest.New(t, small...).Client(t), Options{Kinds: []string{"groups"}})
	r, err := kinds[0].decode([]byte(`{"id":"a","name":"a\u0000\u0000b\\u0000"}`), "")
	require.NoError(t, err)
	require.NoError(t, c.store.transact(t.Context(), func(tx *transaction) error { return tx.put(kinds[0], &r) }))
	var name string
	require.NoError(t, c.store.Row(t.Context(), `SELECT name FROM groups`).Scan(&name))
	assert.Equal(t, "a\ufffd\ufffdb\\u0000", name)
}

// The case of ids that the service gives means nothing. That of an id in another
// system does, and a report joins on it.
func TestIDsOfOtherSystemsKeepTheirCase(t *testing.T) {
	t.Parallel()
	server := practicetest.New(t, practicetest.WithMatters(1))
	contact := server.AddContact(models.ContactWrite{ExternalSystemID: "Acme-7", Person: models.PersonWrite{LastName: "Ng"}})
	server.Settle()
	c := copyOf(t, server.Client(t), Options{Kinds: []string{"contacts"}})
	for _, id := range []string{"Acme-7", "ACME-7"} {
		_, err := server.Client(t).Contacts.Update(t.Context(), contact, models.ContactWrite{ExternalSystemID: id, Person: models.PersonWrite{LastName: "Ng"}})
		require.NoError(t, err)
		server.Settle()
		require.NoError(t, c.Sync(t.Context()))
		var column string
		require.NoError(t, c.store.read(t.Context()).row(`SELECT external_system_id FROM contacts WHERE id = ?`, strings.ToLower(contact)).Scan(&column))
		assert.Equal(t, id, column)
	}
}
