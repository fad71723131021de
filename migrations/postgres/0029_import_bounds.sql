-- How large the file is that waits, so that an account cannot fill the disk with them. Not known of files from before.
ALTER TABLE imports ADD COLUMN bytes bigint;
-- Whether ids of its events are random. Earlier versions hashed them from the row, the address of a visitor included; a job
-- gives such events new ids. A backup from before this column, restored, says no, and they get new ones again.
ALTER TABLE imports ADD COLUMN has_random_ids boolean NOT NULL DEFAULT false;
