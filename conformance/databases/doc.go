// Package databases tests what the library keeps in a database, the journal of
// package once/oncesql and the tokens of package auth/authsql, with SQLite and
// with a PostgreSQL server.
package databases
