-- Hits a second that each website of the account may get, in each collector; NULL is what the service is set to.
ALTER TABLE accounts ADD COLUMN hit_limit integer CHECK (hit_limit >= 1);
