// Package databases tests the parts of the library that use a database, which
// are the journal of package once/oncesql and the tokens of package
// auth/authsql, with SQLite and with a PostgreSQL server.
package databases
