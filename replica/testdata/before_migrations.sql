-- The tables of a copy before its versions were counted, and what may be in them.
CREATE TABLE IF NOT EXISTS copy_source (
	firm    TEXT NOT NULL,
	epoch   INTEGER NOT NULL,
	number  INTEGER NOT NULL,
	began   INTEGER NOT NULL,
	pruned  INTEGER NOT NULL,
	secret  TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS copy_kinds (
	kind     TEXT PRIMARY KEY,
	below    TEXT NOT NULL,
	refused  TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS copy_lists (
	kind   TEXT NOT NULL,
	parent TEXT NOT NULL,
	mark   INTEGER NOT NULL,
	whole  INTEGER NOT NULL,
	PRIMARY KEY (kind, parent));
CREATE TABLE IF NOT EXISTS copy_records (
	kind    TEXT NOT NULL,
	id      TEXT NOT NULL,
	sent    TEXT NOT NULL,
	stamp   INTEGER NOT NULL,
	hash    TEXT NOT NULL,
	parent  TEXT NOT NULL,
	deleted INTEGER NOT NULL,
	proven  INTEGER NOT NULL,
	missed  INTEGER NOT NULL,
	seen    INTEGER NOT NULL,
	read    INTEGER NOT NULL,
	touched INTEGER NOT NULL,
	PRIMARY KEY (kind, id));
CREATE INDEX IF NOT EXISTS copy_of_parents ON copy_records (kind, parent);
CREATE TABLE IF NOT EXISTS copy_hints (
	kind   TEXT NOT NULL,
	id     TEXT NOT NULL,
	parent TEXT NOT NULL,
	PRIMARY KEY (kind, id));
CREATE TABLE IF NOT EXISTS copy_erased (
	kind TEXT NOT NULL,
	hash TEXT NOT NULL,
	PRIMARY KEY (kind, hash));
CREATE TABLE IF NOT EXISTS changes (
	number INTEGER PRIMARY KEY AUTOINCREMENT,
	kind   TEXT NOT NULL,
	id     TEXT NOT NULL,
	what   TEXT NOT NULL,
	at     INTEGER NOT NULL);
CREATE TABLE copy_writer (entry_key VARCHAR(255) PRIMARY KEY, resource_id VARCHAR(64) NOT NULL, noted_at VARCHAR(64) NOT NULL, record_id VARCHAR(255) UNIQUE, attempt INTEGER NOT NULL DEFAULT 0);
CREATE TABLE copy_writer_holds (entry_key VARCHAR(255) PRIMARY KEY, holder VARCHAR(64) NOT NULL, beat BIGINT NOT NULL);
CREATE TABLE fees_all (id TEXT PRIMARY KEY, version TEXT, changed TEXT, deleted INTEGER NOT NULL, record TEXT NOT NULL);
CREATE VIEW fees AS SELECT r.* FROM fees_all r WHERE NOT r.deleted;
INSERT INTO copy_source VALUES ('', 3, 5, 0, 6, 'KEY');
INSERT INTO copy_kinds VALUES ('fees', 'matters', '');
INSERT INTO copy_erased VALUES ('contacts', '610c1ddf3e83f105bdb80e784ed68e794df834c50d5e4704231f13b5d36d006d');
INSERT INTO copy_records VALUES ('fees', '1a', '1A', 0, 'hash', 'ab', 0, 0, 0, 1, 0, 0);
INSERT INTO fees_all VALUES ('1a', NULL, NULL, 0, '{"id":"1A","subject":"Advice","rate":385.50}');
INSERT INTO changes VALUES (7, 'fees', '1a', 'created', 1), (11, 'fees', '1b', 'created', 1);
DELETE FROM changes WHERE number = 11;
