-- Selected events that other deletions had hidden before.
ALTER TABLE deletions ADD COLUMN already_hidden bigint NOT NULL DEFAULT 0;
