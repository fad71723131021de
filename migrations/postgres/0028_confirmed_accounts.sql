-- When a mailed link or the operator confirmed the account's address; NULL is 'unconfirmed'. Existing accounts count as confirmed.
ALTER TABLE accounts ADD COLUMN confirmed_at timestamptz DEFAULT now();
ALTER TABLE accounts ALTER COLUMN confirmed_at DROP DEFAULT;
-- Who may see the state of the service. Nobody inherits it: the operator sets it at the command line.
ALTER TABLE accounts ADD COLUMN is_operator boolean NOT NULL DEFAULT false;
UPDATE accounts SET is_operator = true WHERE id = (SELECT min(id) FROM accounts);
