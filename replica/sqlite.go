package replica

import "github.com/pressly/goose/v3/database"

// sqlite returns the dialect of SQLite, where transactions follow one another.
// Each overwrites what it frees: SQLite leaves parts of a record in the pages
// from which it moves them, where Erase would not find them.
func sqlite() dialect {
	return dialect{
		versions: database.DialectSQLite3,
		lock:     `PRAGMA secure_delete = ON`,
		changes: `CREATE TABLE IF NOT EXISTS changes (number INTEGER PRIMARY KEY AUTOINCREMENT,
			kind TEXT NOT NULL, id TEXT NOT NULL, what TEXT NOT NULL, at INTEGER NOT NULL)`,
		columns: `SELECT name FROM pragma_table_info(?)`,
		types: map[form]string{
			asText: "TEXT", asInteger: "INTEGER", asBool: "INTEGER", asAmount: "TEXT", asExact: "INTEGER", asTime: "TEXT", asJSON: "TEXT",
		},
		elements: `json_each(%s) j`,
		joined:   `group_concat`,
		time:     `strftime('%Y-%m-%dT%H:%M:%SZ', l.mark / 1000000000, 'unixepoch')`,
		now:      `CAST(strftime('%s', 'now') AS INTEGER)`,
	}
}
