package replica

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// beside is a column of views with a name beside an id.
type beside struct {
	name  string
	id    string   // column with the id, or the ids
	kinds []string // that must be copied
	query string
}

func names() []beside {
	const clients = `SELECT group_concat(c.name, '; ') FROM %s json_each(%s.client_ids) j JOIN contacts_all c ON c.id = j.value`
	const staff = `SELECT trim(coalesce(first_name, '') || ' ' || coalesce(last_name, '')) FROM staff_all WHERE id = r.`
	return []beside{
		{"matter_number", "matter_id", []string{"matters"}, `SELECT number FROM matters_all WHERE id = r.matter_id`},
		{"matter_title", "matter_id", []string{"matters"}, `SELECT title FROM matters_all WHERE id = r.matter_id`},
		{"client_names", "matter_id", []string{"matters", "contacts"}, fmt.Sprintf(clients, "matters_all m,", "m") + ` WHERE m.id = r.matter_id`},
		{"client_names", "client_ids", []string{"contacts"}, fmt.Sprintf(clients, "", "r")},
		{"staff_name", "staff_id", []string{"staff"}, staff + "staff_id"},
		{"person_responsible_name", "person_responsible_id", []string{"staff"}, staff + "person_responsible_id"},
		{"contact_name", "contact_id", []string{"contacts"}, `SELECT name FROM contacts_all WHERE id = r.contact_id`},
	}
}

// createTables creates the table of each kind, adds the columns that it lacks,
// and makes its view anew.
func (c *Copy) createTables(ctx context.Context) error {
	for _, k := range c.kinds {
		if err := c.createTable(ctx, k); err != nil {
			return fmt.Errorf("replica: %s: %w", k.name, err)
		}
	}
	for _, k := range c.kinds {
		if err := c.createView(ctx, k.name, c.viewOf(k)); err != nil {
			return fmt.Errorf("replica: %s: %w", k.name, err)
		}
	}
	return c.createView(ctx, "copy_status", statusView)
}

func (c *Copy) createView(ctx context.Context, name, query string) error {
	return c.store.transact(ctx, func(tx *transaction) error {
		if err := tx.run(`DROP VIEW IF EXISTS ` + name); err != nil {
			return err
		}
		_, err := tx.tx.ExecContext(ctx, `CREATE VIEW `+name+` AS `+query) // the query has percent signs of its own
		return err
	})
}

func (c *Copy) createTable(ctx context.Context, k *kind) error {
	err := c.store.Create(ctx, `CREATE TABLE IF NOT EXISTS `+k.tableName()+` (id TEXT PRIMARY KEY, version TEXT, changed TEXT, deleted INTEGER NOT NULL, record TEXT NOT NULL)`)
	if err != nil {
		return err
	}
	rows, err := c.store.DB.QueryContext(ctx, `SELECT * FROM `+k.tableName()+` WHERE 1 = 0`) //nolint:gosec // a name of this package
	if err != nil {
		return err
	}
	there, err := rows.Columns()
	if err = firstError(err, rows.Err(), rows.Close()); err != nil {
		return err
	}
	var missing []column
	for _, column := range k.columns {
		if !slices.Contains(there, column.name) {
			missing = append(missing, column)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	return c.store.transact(ctx, func(tx *transaction) error { return tx.addColumns(k, missing) })
}

// addColumns adds columns and fills them from the JSON.
func (t *transaction) addColumns(k *kind, missing []column) error {
	var set []string
	for _, c := range missing {
		form := " TEXT"
		if c.integer {
			form = " INTEGER"
		}
		if err := t.run(`ALTER TABLE ` + k.tableName() + ` ADD COLUMN ` + quoted(c.name) + form); err != nil {
			return err
		}
		set = append(set, quoted(c.name)+" = ?")
	}
	for last := ""; ; {
		var text string
		err := t.row(`SELECT id, record FROM `+k.tableName()+` WHERE id > ? ORDER BY id LIMIT 1`, last).Scan(&last, &text)
		if err != nil {
			return ignoreNoRows(err)
		}
		var parent string
		if err := t.row(`SELECT parent FROM %_records WHERE kind = ? AND id = ?`, k.name, last).Scan(&parent); err != nil {
			return err
		}
		r, err := k.decode([]byte(text), parent)
		if err != nil {
			return err
		}
		var values []any
		for _, c := range missing {
			values = append(values, k.value(c, &r))
		}
		if err := t.run(`UPDATE `+k.tableName()+` SET `+strings.Join(set, ", ")+` WHERE id = ?`, append(values, last)...); err != nil {
			return err
		}
	}
}

// value returns the value of a column for a record.
func (k *kind) value(c column, r *record) any {
	if c.of != nil {
		if value := c.of(r.members); value != nil {
			return value
		}
	}
	if k.below != "" && c.name == k.parentColumn() {
		return r.parent
	}
	return nil
}

// viewOf returns the query of a kind's view: the records that are not deleted,
// with names beside ids.
func (c *Copy) viewOf(k *kind) string {
	query := strings.Builder{}
	query.WriteString(`SELECT r.*`)
	for _, n := range names() {
		has := slices.ContainsFunc(k.columns, func(c column) bool { return c.name == n.id })
		for _, needed := range n.kinds {
			has = has && c.kind(needed) != nil
		}
		if has {
			fmt.Fprintf(&query, `, (%s) AS %s`, n.query, n.name)
		}
	}
	fmt.Fprintf(&query, ` FROM %s r WHERE NOT r.deleted`, k.tableName())
	return query.String()
}

func changedAt(stamp int64) any {
	if stamp == 0 {
		return nil
	}
	text, _ := json.Marshal(stamp)
	return timeOf(json.Number(text))
}
