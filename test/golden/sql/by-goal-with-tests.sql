-- Goals that test the value of a property.

SELECT
	if(dimension = '', date, toDate(0)) AS day, toInt64(0) AS bucket, toString(dimension) AS dimension, t.value AS value,
	is_other, sum(t.views) AS views, sum(t.events) AS events, sum(t.visits) AS visits, sum(if(dimension = 'goal', t.visits, 0)) AS conversions
FROM totals AS t
WHERE website_id = {p0:UInt32} AND ((dimension IN {p1:Array(String)}
	AND date BETWEEN {p2:Date} AND {p3:Date}
	AND (date, generation) IN arrayZip({p4:Array(Date)}, {p5:Array(UInt64)})))
	AND (dimension != 'goal' OR has({p6:Array(String)}, t.value))
GROUP BY day, dimension, value, is_other
LIMIT {p7:UInt64} BY day, dimension
-- p0 = 42
-- p1 = [""]
-- p2 = "2026-11-01"
-- p3 = "2026-11-07"
-- p4 = ["2026-11-01","2026-11-02","2026-11-03","2026-11-04","2026-11-05","2026-11-06","2026-11-07"]
-- p5 = ["1101","1102","1103","1104","1105","1106","1107"]
-- p6 = ["11","12"]
-- p7 = 4000

SELECT * FROM (
	SELECT
		day, toInt64(0) AS bucket, dimension, value, toUInt8(0) AS is_other,
		views, events, visits, conversions
	FROM (
	SELECT toDate(0) AS day, 'goal' AS dimension, value, toUInt64(sumIf(kind = 'pageview', true)) AS views, toUInt64(sumIf(kind = 'custom', true)) AS events, toUInt64(sumIf(visitor_id != 0, nth = 1 AND true)) AS visits, toUInt64(sumIf(visitor_id != 0, nth = 1 AND true)) AS conversions
	FROM (
		SELECT *, nth, start_ms AS event_ms, kind, name, path, props
		FROM (
			SELECT
				*,
				arrayMap(
					(kind, name, path, props) ->
						if(goal_is_page, kind = 'pageview' AND path LIKE goal_pattern, kind = 'custom' AND toString(name) LIKE goal_pattern)
						AND (NOT goal_has_property OR (mapContains(props, goal_property) AND multiIf(
	goal_test = '', props[goal_property] = goal_property_value,
	goal_test = 'contains', position(props[goal_property], goal_property_value) > 0,
	goal_test = 'starts_with', startsWith(props[goal_property], goal_property_value),
	goal_test = 'ends_with', endsWith(props[goal_property], goal_property_value),
	goal_test = 'wildcard', props[goal_property] LIKE goal_like,
	match(props[goal_property], {p0:String}) AND multiIf(
		goal_test = 'greater_than', toDecimal256OrZero(props[goal_property], {p1:UInt8}) > toDecimal256OrZero(goal_property_value, {p2:UInt8}),
		goal_test = 'at_least', toDecimal256OrZero(props[goal_property], {p3:UInt8}) >= toDecimal256OrZero(goal_property_value, {p4:UInt8}),
		goal_test = 'less_than', toDecimal256OrZero(props[goal_property], {p5:UInt8}) < toDecimal256OrZero(goal_property_value, {p6:UInt8}),
		toDecimal256OrZero(props[goal_property], {p7:UInt8}) <= toDecimal256OrZero(goal_property_value, {p8:UInt8})
	)
))),
					kinds, names, paths, properties
				) AS reached
			FROM (
	SELECT
		website_id, date, visitor_id,
		toInt64(0) AS start_ms,
		toUInt8(0) AS is_converted, visitor_id AS active_visitor, kinds, names, paths, properties
	FROM (
	SELECT website_id, date, visitor_id , kinds, names, paths, properties
	FROM visits
	WHERE website_id = {p9:UInt32} AND date BETWEEN {p10:Date} AND {p11:Date}
		AND (date, generation) IN arrayZip({p12:Array(Date)}, {p13:Array(UInt64)}))
	WHERE true) AS r
			INNER JOIN (
				SELECT
					goal.1 AS website_id, goal.2 AS value, goal.3 AS goal_is_page, goal.4 AS goal_pattern,
					goal.5 AS goal_has_property, goal.6 AS goal_property, goal.7 AS goal_property_value, goal.8 AS goal_test, goal.9 AS goal_like
				FROM (
					SELECT arrayJoin(arrayZip(
						{p14:Array(UInt32)},
						{p15:Array(String)},
						{p16:Array(UInt8)},
						{p17:Array(String)},
						{p18:Array(UInt8)},
						{p19:Array(String)},
						{p20:Array(String)}, {p21:Array(String)}, {p22:Array(String)}
					)) AS goal
				)
			) AS g USING (website_id)
			WHERE has(reached, 1)
		)
		ARRAY JOIN kinds AS kind, names AS name, paths AS path, properties AS props, reached AS is_reached, arrayCumSum(reached) AS nth
		WHERE is_reached
	) AS r
	GROUP BY  value))
	LIMIT {p23:UInt64} BY day, bucket, dimension
-- p0 = "^-?[0-9]{1,21}([.][0-9]{1,25})?$"
-- p1 = 25
-- p2 = 25
-- p3 = 25
-- p4 = 25
-- p5 = 25
-- p6 = 25
-- p7 = 25
-- p8 = 25
-- p9 = 42
-- p10 = "2026-11-01"
-- p11 = "2026-11-07"
-- p12 = ["2026-11-01","2026-11-02","2026-11-03","2026-11-04","2026-11-05","2026-11-06","2026-11-07"]
-- p13 = ["1101","1102","1103","1104","1105","1106","1107"]
-- p14 = [42,42]
-- p15 = ["11","12"]
-- p16 = [0,0]
-- p17 = ["order","order"]
-- p18 = [1,1]
-- p19 = ["plan","price"]
-- p20 = ["","10"]
-- p21 = ["wildcard","at_least"]
-- p22 = ["p%\\_1",""]
-- p23 = 4000
