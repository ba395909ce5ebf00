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
	kinds []string // whose tables it needs
	query string
}

func (d dialect) names() []beside {
	clients := `SELECT ` + d.joined + `(c.name, '; ') FROM %s ` + fmt.Sprintf(d.elements, "%s.client_ids") + ` JOIN contacts_all c ON c.id = j.value`
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
// and makes the views of all tables anew.
func (c *Copy) createTables(ctx context.Context) error {
	return c.store.transact(ctx, func(tx *transaction) error {
		for _, k := range c.kinds {
			if err := tx.createTable(k); err != nil {
				return fmt.Errorf("replica: %s: %w", k.name, err)
			}
		}
		tables := map[string][]string{}
		for _, name := range Kinds() {
			var err error
			if tables[name], err = tx.columnsIn(tableOf(name)); err != nil {
				return err
			}
		}
		for _, name := range Kinds() {
			if len(tables[name]) == 0 {
				continue
			}
			if err := tx.createView(name, tx.viewOf(name, tables)); err != nil {
				return fmt.Errorf("replica: %s: %w", name, err)
			}
		}
		return tx.createView("copy_status", c.store.statusView())
	})
}

// createView creates a view, unless it is there: nobody waits for a copy that is
// opened again.
func (t *transaction) createView(name, query string) error {
	var there string
	err := ignoreNoRows(t.row(`SELECT query FROM %_views WHERE name = ?`, name).Scan(&there))
	if err != nil || there == query {
		return err
	}
	if err := t.run(`DROP VIEW IF EXISTS ` + name); err != nil {
		return err
	}
	if _, err := t.on.ExecContext(t.ctx, `CREATE VIEW `+name+` AS `+query); err != nil { // the query has percent signs of its own
		return err
	}
	return t.run(`INSERT INTO %_views VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET query = excluded.query`, name, query)
}

func (t *transaction) createTable(k *kind) error {
	err := t.run(fmt.Sprintf(`CREATE TABLE IF NOT EXISTS %s (id TEXT PRIMARY KEY, version TEXT, changed %s, deleted %s NOT NULL, record %s NOT NULL)`,
		k.tableName(), t.types[asTime], t.types[asBool], t.types[asJSON]))
	if err != nil {
		return err
	}
	there, err := t.columnsIn(k.tableName())
	if err != nil {
		return err
	}
	missing := slices.DeleteFunc(t.columnsOf(k), func(c column) bool { return slices.Contains(there, c.name) })
	if len(missing) == 0 {
		return nil
	}
	return t.addColumns(k, missing)
}

// columnsIn returns the columns of a table, or none if there is no such table.
func (t *transaction) columnsIn(table string) (all []string, err error) {
	rows, err := t.rows(t.columns, table)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, err
		}
		all = append(all, name)
	}
	return all, rows.Err()
}

// addColumns adds columns and fills them from the JSON.
func (t *transaction) addColumns(k *kind, missing []column) error {
	for _, c := range missing {
		if err := t.run(`ALTER TABLE ` + k.tableName() + ` ADD COLUMN ` + quoted(c.name) + ` ` + t.types[c.form]); err != nil {
			return err
		}
	}
	return t.each(k, func(r *record) error { return t.put(k, r) })
}

// each passes every record of a kind to do.
func (t *transaction) each(k *kind, do func(*record) error) error {
	for last := ""; ; {
		var (
			text, parent string
			deleted      bool
		)
		err := t.row(`SELECT a.id, a.record, a.deleted, r.parent FROM `+k.tableName()+` a JOIN %_records r ON r.kind = ? AND r.id = a.id
			WHERE a.id > ? ORDER BY a.id LIMIT 1`, k.name, last).Scan(&last, &text, &deleted, &parent)
		if err != nil {
			return ignoreNoRows(err)
		}
		r, err := k.decode([]byte(text), parent)
		if err != nil {
			return err
		}
		r.deleted = deleted
		if err := do(&r); err != nil {
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
// with names beside ids. It depends on the tables that the database has, not on
// the kinds of this process.
func (d dialect) viewOf(kind string, tables map[string][]string) string {
	query := strings.Builder{}
	for _, name := range tables[kind] { // r.* would stand for the columns that the table has now
		fmt.Fprintf(&query, `, r.%s`, quoted(name))
	}
	for _, n := range d.names() {
		absent := func(needed string) bool { return len(tables[needed]) == 0 }
		if slices.Contains(tables[kind], n.id) && !slices.ContainsFunc(n.kinds, absent) {
			fmt.Fprintf(&query, `, (%s) AS %s`, n.query, n.name)
		}
	}
	return fmt.Sprintf(`SELECT %s FROM %s r WHERE NOT r.deleted`, query.String()[len(", "):], tableOf(kind))
}

func changedAt(stamp int64) any {
	if stamp == 0 {
		return nil
	}
	text, _ := json.Marshal(stamp)
	return timeOf(json.Number(text))
}
