-- Rules by network operator. NOT VALID: the constraint before allowed fewer kinds, so all rows pass.
ALTER TABLE traffic_rules
	DROP CONSTRAINT traffic_rules_kind_check,
	ADD CONSTRAINT traffic_rules_kind_check
		CHECK (kind IN ('path', 'hostname', 'country', 'referrer', 'campaign', 'user_agent', 'network', 'operator')) NOT VALID;
