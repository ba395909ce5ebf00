package replica

import (
	"database/sql"

	"github.com/pressly/goose/v3/database"
)

// postgres returns the dialect of PostgreSQL. Each transaction that writes locks
// the same row first, so that the numbers of changes have the order of commits.
func postgres() dialect {
	return dialect{
		versions:  database.DialectPostgres,
		isolation: &sql.TxOptions{Isolation: sql.LevelReadCommitted},
		lock:      `SELECT 1 FROM copy_source FOR UPDATE`,
		changes: `CREATE TABLE IF NOT EXISTS changes (number BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
			kind TEXT NOT NULL, id TEXT NOT NULL, what TEXT NOT NULL, at BIGINT NOT NULL)`,
		columns:  `SELECT column_name FROM information_schema.columns WHERE table_schema = current_schema() AND table_name = ? ORDER BY ordinal_position`,
		types:    map[form]string{asText: "TEXT", asInteger: "BIGINT", asBool: "BOOLEAN", asAmount: "NUMERIC", asTime: "TIMESTAMPTZ", asJSON: "JSON"},
		elements: `json_array_elements_text(%s::json) j (value)`,
		joined:   `string_agg`,
		time:     `to_timestamp(l.mark / 1000000000)`,
		now:      `CAST(extract(epoch FROM now()) AS BIGINT)`,
	}
}
