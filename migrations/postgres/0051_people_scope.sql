-- Invitations and offers by API keys, which end with the key or its permission. The previous version joins the person who invited, so
-- it does not find such an invitation. An offer without a person is to that version one of the primary owner, of whom it asks the same.
ALTER TABLE invitations ALTER COLUMN invited_by DROP NOT NULL;
ALTER TABLE invitations ADD COLUMN key_id bigint REFERENCES api_keys ON DELETE CASCADE;
ALTER TABLE invitations ADD CONSTRAINT invitations_by_someone CHECK (num_nonnulls(invited_by, key_id) = 1) NOT VALID;
CREATE INDEX invitations_by_key ON invitations (key_id) WHERE key_id IS NOT NULL;
ALTER TABLE offers ADD COLUMN key_id bigint REFERENCES api_keys ON DELETE CASCADE;
CREATE INDEX offers_by_key ON offers (key_id) WHERE key_id IS NOT NULL;

-- Boards of an account, which all its owners and its keys have. `account_id` is the person who has the others (migration 0042), by which
-- the previous version finds boards.
ALTER TABLE boards ALTER COLUMN account_id DROP NOT NULL;
ALTER TABLE boards ADD COLUMN owner_id bigint REFERENCES accounts ON DELETE CASCADE;
ALTER TABLE boards ADD CONSTRAINT boards_of_someone CHECK (num_nonnulls(account_id, owner_id) = 1) NOT VALID;
CREATE INDEX boards_by_owner ON boards (owner_id, id) WHERE owner_id IS NOT NULL;
