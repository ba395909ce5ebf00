-- What the copy must know beside the records. Times are nanoseconds of the
-- service's clock. Copies of versions without migrations have these tables.

-- +goose Up
CREATE TABLE IF NOT EXISTS copy_source (
	firm   TEXT NOT NULL,   -- id, empty before the first round
	epoch  BIGINT NOT NULL, -- increased by each process that begins to write
	number BIGINT NOT NULL, -- of walks that have begun
	began  BIGINT NOT NULL, -- time of the last round
	pruned BIGINT NOT NULL, -- last change that was removed
	secret TEXT NOT NULL    -- key of the hashes of erased ids, empty until the first process has opened the copy
);
CREATE UNIQUE INDEX IF NOT EXISTS copy_one_source ON copy_source ((1)); -- processes that open a new copy at once cannot see each other's row
INSERT INTO copy_source SELECT '', 0, 0, 0, 0, '' WHERE NOT EXISTS (SELECT 1 FROM copy_source);

CREATE TABLE IF NOT EXISTS copy_kinds (
	kind    TEXT PRIMARY KEY,
	below   TEXT NOT NULL,
	refused TEXT NOT NULL -- why it cannot be read, empty if it can
);

CREATE TABLE IF NOT EXISTS copy_lists (
	kind   TEXT NOT NULL,
	parent TEXT NOT NULL,   -- empty for a list of the firm
	mark   BIGINT NOT NULL, -- when the last complete walk began
	whole  BIGINT NOT NULL, -- when the last complete walk over the whole list began
	PRIMARY KEY (kind, parent)
);

CREATE TABLE IF NOT EXISTS copy_records (
	kind    TEXT NOT NULL,
	id      TEXT NOT NULL,  -- in lower case
	sent    TEXT NOT NULL,  -- id as the service wrote it
	stamp   BIGINT NOT NULL,
	hash    TEXT NOT NULL,
	parent  TEXT NOT NULL,
	deleted BOOLEAN NOT NULL,
	proven  BOOLEAN NOT NULL,
	missed  BIGINT NOT NULL,
	seen    BIGINT NOT NULL,
	read    BIGINT NOT NULL,
	touched BIGINT NOT NULL, -- time of the round that last changed it
	PRIMARY KEY (kind, id)
);
CREATE INDEX IF NOT EXISTS copy_of_parents ON copy_records (kind, parent);

CREATE TABLE IF NOT EXISTS copy_hints (
	kind   TEXT NOT NULL,
	id     TEXT NOT NULL,
	parent TEXT NOT NULL,
	PRIMARY KEY (kind, id)
);

CREATE TABLE IF NOT EXISTS copy_erased (
	kind TEXT NOT NULL,
	hash TEXT NOT NULL,
	PRIMARY KEY (kind, hash)
);

-- A row says that the copy has no personal data.
CREATE TABLE IF NOT EXISTS copy_impersonal (
	done INTEGER NOT NULL -- whether they are out of the file, too
);

-- The views as this package created them.
CREATE TABLE IF NOT EXISTS copy_views (
	name  TEXT PRIMARY KEY,
	query TEXT NOT NULL
);
