-- Whose account was changed: also when a member did it, and when the website has gone or belongs to somebody else since.
ALTER TABLE changes ADD COLUMN owner_id bigint;
ALTER TABLE changes DISABLE TRIGGER changes_stay;
UPDATE changes SET owner_id = coalesce((SELECT account_id FROM websites WHERE id = changes.website_id), account_id);
ALTER TABLE changes ENABLE TRIGGER changes_stay;
ALTER TABLE changes ALTER COLUMN owner_id SET NOT NULL;
-- Whom it was done to: the member that was removed, or got another role.
ALTER TABLE changes ADD COLUMN subject_id bigint;
-- NULL is 'the operator, at the command line'.
ALTER TABLE changes ALTER COLUMN account_id DROP NOT NULL;
DROP INDEX changes_by_account;
CREATE INDEX changes_by_owner ON changes (owner_id, id);
CREATE INDEX changes_by_website ON changes (website_id, id);
