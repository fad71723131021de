-- Every question asks when its website was emptied.
CREATE INDEX tombstones_by_website ON tombstones (website_id);
