-- Removed data stays in the file while a reader needs the old pages.

-- +goose Up
ALTER TABLE copy_source ADD COLUMN unclean BIGINT NOT NULL DEFAULT 0; -- 1: in the log; 2: perhaps in the file, too
UPDATE copy_source SET unclean = 2 WHERE EXISTS (SELECT 1 FROM copy_impersonal WHERE done = 0);
