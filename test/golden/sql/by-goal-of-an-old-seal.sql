-- Goals, of days that were sealed before the newest one was made.

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
-- p6 = ["5","9"]
-- p7 = 4000

SELECT *
FROM (
	SELECT
		*,
		row_number() OVER (PARTITION BY dimension ORDER BY is_other,  conversions DESC, value) AS place,
		count() OVER (PARTITION BY dimension) AS total
	FROM (
		SELECT
			dimension,
			if(dimension = 'goal', transform(p.value, {p0:Array(String)}, {p1:Array(String)}, ''), p.value) AS value,
			is_other,
			sum(p.views) AS views, sum(p.events) AS events, sum(p.visits) AS visits, sum(p.conversions) AS conversions
		FROM (
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
						AND (NOT goal_has_property OR (mapContains(props, goal_property) AND props[goal_property] = goal_property_value)),
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
	WHERE website_id = {p2:UInt32} AND date BETWEEN {p3:Date} AND {p4:Date}
		AND (date, generation) IN arrayZip({p5:Array(Date)}, {p6:Array(UInt64)}))
	WHERE true) AS r
			INNER JOIN (
				SELECT
					goal.1 AS website_id, goal.2 AS value, goal.3 AS goal_is_page, goal.4 AS goal_pattern,
					goal.5 AS goal_has_property, goal.6 AS goal_property, goal.7 AS goal_property_value
				FROM (
					SELECT arrayJoin(arrayZip(
						{p7:Array(UInt32)},
						{p8:Array(String)},
						{p9:Array(UInt8)},
						{p10:Array(String)},
						{p11:Array(UInt8)},
						{p12:Array(String)},
						{p13:Array(String)}
					)) AS goal
				)
			) AS g USING (website_id)
			WHERE has(reached, 1)
		)
		ARRAY JOIN kinds AS kind, names AS name, paths AS path, properties AS props, reached AS is_reached, arrayCumSum(reached) AS nth
		WHERE is_reached
	) AS r
	GROUP BY  value)) AS p
		GROUP BY dimension, value, is_other
		HAVING if(dimension = 'goal', has({p14:Array(String)}, value), multiSearchAny(translateUTF8(value, {p15:String}, {p16:String}), {p17:Array(String)})) AND (views > 0 OR events > 0 OR visits > 0)
	)
)
-- The first one always comes along: it tells how many there are.
WHERE place = 1 OR place BETWEEN {p18:UInt64} AND {p19:UInt64}
-- p0 = ["5","9"]
-- p1 = ["3","4"]
-- p2 = 42
-- p3 = "2026-11-01"
-- p4 = "2026-11-07"
-- p5 = ["2026-11-01","2026-11-02","2026-11-03","2026-11-04","2026-11-05","2026-11-06","2026-11-07"]
-- p6 = ["1101","1102","1103","1104","1105","1106","1107"]
-- p7 = [42,42]
-- p8 = ["5","9"]
-- p9 = [0,1]
-- p10 = ["signup","/thanks%"]
-- p11 = [0,1]
-- p12 = ["","plan"]
-- p13 = ["","pro"]
-- p14 = ["3"]
-- p15 = "GINSſ"
-- p16 = "ginss"
-- p17 = ["sign"]
-- p18 = 1
-- p19 = 10
