-- Whether search engines may list the statistics of a website while they are public.
ALTER TABLE websites ADD COLUMN indexable boolean NOT NULL DEFAULT false;

-- Hostnames whose hits were not counted, a few of each day: an owner recognises a forgotten name of their own. Nothing of who sent them.
CREATE TABLE foreign_hostnames (
	website_id bigint NOT NULL,
	date date NOT NULL,
	hostname text NOT NULL,
	count bigint NOT NULL,
	PRIMARY KEY (website_id, date, hostname)
);
