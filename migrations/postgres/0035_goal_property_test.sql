-- How a goal compares its property with the value. NULL: the property is that value.
ALTER TABLE goals ADD COLUMN property_test text CHECK (property_test IN (
	'contains', 'starts_with', 'ends_with', 'wildcard', 'greater_than', 'at_least', 'less_than', 'at_most'
));
