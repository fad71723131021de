-- Words that an owner finds websites by.
ALTER TABLE websites ADD COLUMN labels text[] NOT NULL DEFAULT '{}';
