-- On a ClickHouse cluster: websites whose events are spread over all shards by visitor, and the first date that they are. The
-- definitions of the spread tables name them (server/jobs/spread-large-websites.ts). A row stays: rows that are spread stay so.
CREATE TABLE large_websites (
	website_id bigint PRIMARY KEY REFERENCES websites (id) ON DELETE CASCADE,
	from_date date NOT NULL
);
