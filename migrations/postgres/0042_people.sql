-- Someone who signs in. An account owns websites, keys and limits, and people own accounts. Every account so far becomes one
-- person and one account with the same id, so that ids in sessions, members and the activity log stay true. A person's id is the
-- id of the account that was created with them.
CREATE TABLE people (
	id bigint PRIMARY KEY,
	name text NOT NULL,
	email text NOT NULL,
	locale text NOT NULL,
	week_start text NOT NULL DEFAULT 'monday' CHECK (week_start IN ('monday', 'sunday')),
	-- argon2id; NULL is 'cannot sign in with a password'.
	password_hash text,
	-- Encrypted with a key that is not in the database; NULL is 'no authenticator app'.
	totp_secret bytea,
	-- A secret that was shown and is not confirmed by a code yet.
	totp_pending bytea,
	-- The time step of the last code that was used.
	totp_step bigint NOT NULL DEFAULT 0,
	-- When a mailed link or the operator confirmed the email address; NULL is 'unconfirmed'.
	confirmed_at timestamptz,
	is_operator boolean NOT NULL DEFAULT false,
	-- The account that they last worked in; NULL is the first one.
	working_account_id bigint REFERENCES accounts ON DELETE SET NULL,
	created_at timestamptz NOT NULL
);
CREATE INDEX people_by_working_account ON people (working_account_id) WHERE working_account_id IS NOT NULL;
CREATE UNIQUE INDEX people_by_email ON people (lower(email));

CREATE TABLE account_owners (
	account_id bigint NOT NULL REFERENCES accounts ON DELETE CASCADE,
	person_id bigint NOT NULL REFERENCES people ON DELETE CASCADE,
	-- The owner whose address the account has. Nobody but they and the operator can make someone else primary.
	is_primary boolean NOT NULL,
	created_at timestamptz NOT NULL,
	PRIMARY KEY (account_id, person_id)
);
CREATE UNIQUE INDEX account_owners_primary ON account_owners (account_id) WHERE is_primary;
CREATE INDEX account_owners_by_person ON account_owners (person_id, account_id);

-- The websites that a person marked as favorites, in the order that they chose. `websites.favorite` is the value of the API.
CREATE TABLE favorites (
	person_id bigint NOT NULL REFERENCES people ON DELETE CASCADE,
	website_id bigint NOT NULL REFERENCES websites ON DELETE CASCADE,
	position integer NOT NULL,
	PRIMARY KEY (person_id, website_id)
);
CREATE INDEX favorites_by_website ON favorites (website_id);

-- People of another installation that were merged into this one.
CREATE TABLE merged_people (
	origin uuid NOT NULL,
	origin_id bigint NOT NULL,
	person_id bigint NOT NULL REFERENCES people ON DELETE CASCADE,
	PRIMARY KEY (origin, origin_id)
);

-- Until the next release, `accounts` keeps the columns that the previous version reads and writes: processes of both versions run
-- side by side during an upgrade. Only that version writes `email`, so a new row with one is an account that it created.
CREATE FUNCTION copy_account_to_person() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	-- A restore loads both tables.
	IF NEW.email IS NULL OR current_setting('tidemark.loading', true) = 'on' THEN RETURN NULL; END IF;
	IF TG_OP = 'INSERT' THEN
		INSERT INTO people (id, name, email, locale, week_start, password_hash, totp_secret, totp_pending, totp_step,
			confirmed_at, is_operator, created_at)
		VALUES (NEW.id, NEW.name, NEW.email, NEW.locale, NEW.week_start, NEW.password_hash, NEW.totp_secret,
			NEW.totp_pending, NEW.totp_step, NEW.confirmed_at, NEW.is_operator, NEW.created_at);
		INSERT INTO account_owners (account_id, person_id, is_primary, created_at) VALUES (NEW.id, NEW.id, true, NEW.created_at);
	ELSE
		UPDATE people SET password_hash = NEW.password_hash, totp_secret = NEW.totp_secret, totp_pending = NEW.totp_pending,
			totp_step = NEW.totp_step, confirmed_at = NEW.confirmed_at, is_operator = NEW.is_operator
		WHERE id = NEW.id AND (password_hash, totp_secret, totp_pending, totp_step, confirmed_at, is_operator) IS DISTINCT FROM
			(NEW.password_hash, NEW.totp_secret, NEW.totp_pending, NEW.totp_step, NEW.confirmed_at, NEW.is_operator);
	END IF;
	RETURN NULL;
END $$;
CREATE FUNCTION copy_person_to_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	UPDATE accounts SET email = CASE WHEN email IS NULL THEN NULL ELSE NEW.email END,
		password_hash = NEW.password_hash, totp_secret = NEW.totp_secret, totp_pending = NEW.totp_pending,
		totp_step = NEW.totp_step, confirmed_at = NEW.confirmed_at, is_operator = NEW.is_operator
	WHERE id = NEW.id AND email IS NOT NULL AND (email, password_hash, totp_secret, totp_pending, totp_step, confirmed_at, is_operator)
		IS DISTINCT FROM (NEW.email, NEW.password_hash, NEW.totp_secret, NEW.totp_pending, NEW.totp_step, NEW.confirmed_at, NEW.is_operator);
	RETURN NULL;
END $$;
CREATE TRIGGER accounts_to_people
	AFTER INSERT OR UPDATE OF password_hash, totp_secret, totp_pending, totp_step, confirmed_at, is_operator ON accounts
	FOR EACH ROW EXECUTE FUNCTION copy_account_to_person();
CREATE TRIGGER people_to_accounts
	AFTER UPDATE OF email, password_hash, totp_secret, totp_pending, totp_step, confirmed_at, is_operator ON people
	FOR EACH ROW EXECUTE FUNCTION copy_person_to_account();

INSERT INTO people (id, name, email, locale, week_start, password_hash, totp_secret, totp_pending, totp_step,
	confirmed_at, is_operator, created_at)
SELECT id, name, email, locale, week_start, password_hash, totp_secret, totp_pending, totp_step,
	confirmed_at, is_operator, created_at FROM accounts;
INSERT INTO account_owners (account_id, person_id, is_primary, created_at) SELECT id, id, true, created_at FROM accounts;
INSERT INTO favorites (person_id, website_id, position)
SELECT account_id, id, row_number() OVER (PARTITION BY account_id ORDER BY id DESC) FROM websites WHERE favorite;
INSERT INTO merged_people (origin, origin_id, person_id)
SELECT origin, origin_id, account_id FROM merged_accounts WHERE is_same_person;

-- `account_id` of these tables is a person's id from now on. The columns are renamed when no earlier version uses them.
ALTER TABLE sessions DROP CONSTRAINT sessions_account_id_fkey;
ALTER TABLE sessions ADD CONSTRAINT sessions_of_people FOREIGN KEY (account_id) REFERENCES people ON DELETE CASCADE NOT VALID;
ALTER TABLE recovery_codes DROP CONSTRAINT recovery_codes_account_id_fkey;
ALTER TABLE recovery_codes ADD CONSTRAINT recovery_codes_of_people FOREIGN KEY (account_id) REFERENCES people ON DELETE CASCADE NOT VALID;
ALTER TABLE one_time_links DROP CONSTRAINT one_time_links_account_id_fkey;
ALTER TABLE one_time_links ADD CONSTRAINT one_time_links_of_people FOREIGN KEY (account_id) REFERENCES people ON DELETE CASCADE NOT VALID;
ALTER TABLE address_confirmations DROP CONSTRAINT address_confirmations_account_id_fkey;
ALTER TABLE address_confirmations ADD CONSTRAINT address_confirmations_of_people FOREIGN KEY (account_id) REFERENCES people ON DELETE CASCADE NOT VALID;
ALTER TABLE boards DROP CONSTRAINT boards_account_id_fkey;
ALTER TABLE boards ADD CONSTRAINT boards_of_people FOREIGN KEY (account_id) REFERENCES people ON DELETE CASCADE NOT VALID;
ALTER TABLE members DROP CONSTRAINT members_member_id_fkey;
ALTER TABLE members ADD CONSTRAINT members_are_people FOREIGN KEY (member_id) REFERENCES people ON DELETE CASCADE NOT VALID;
ALTER TABLE invitations DROP CONSTRAINT invitations_invited_by_fkey;
ALTER TABLE invitations ADD CONSTRAINT invitations_by_people FOREIGN KEY (invited_by) REFERENCES people ON DELETE CASCADE NOT VALID;
ALTER TABLE invitations DROP CONSTRAINT invitations_role_check;
ALTER TABLE invitations ADD CONSTRAINT invitations_role CHECK (role IN ('viewer', 'editor', 'admin') OR (role = 'owner' AND website_id IS NULL)) NOT VALID;
ALTER TABLE offers DROP CONSTRAINT offers_receiver_id_fkey;
ALTER TABLE offers ADD CONSTRAINT offers_to_people FOREIGN KEY (receiver_id) REFERENCES people ON DELETE CASCADE NOT VALID;
-- Offers of an owner end when they are removed. NULL: the account's primary owner, by the previous version.
ALTER TABLE offers ADD COLUMN offered_by bigint REFERENCES people ON DELETE CASCADE;

-- Accounts that this version creates have no person of their own.
ALTER TABLE accounts ALTER COLUMN email DROP NOT NULL;
