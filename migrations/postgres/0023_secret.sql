-- A keyed hash that only the secret of this installation gives: a process with another one is refused, because what one of them
-- seals or signs the others could not open. To begin with another secret for good: DELETE FROM secret_fingerprint.
CREATE TABLE secret_fingerprint (
	fingerprint bytea NOT NULL,
	is_the_only_one boolean PRIMARY KEY DEFAULT true CHECK (is_the_only_one)
);
