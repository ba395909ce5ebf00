-- A list that was requested in vain gives way to the others, and the last number
-- remains known when its change is erased.

-- +goose Up
ALTER TABLE copy_lists ADD COLUMN tried BIGINT NOT NULL DEFAULT 0; -- when the list was last requested
UPDATE copy_lists SET tried = mark;
ALTER TABLE copy_source ADD COLUMN erased BIGINT NOT NULL DEFAULT 0; -- last change when a record was last erased
