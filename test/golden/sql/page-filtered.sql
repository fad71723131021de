-- The same with a filter.

SELECT is_compared, date, bucket, views, events, visits, visitors, bounces, seconds
FROM (
SELECT toUInt8({p0:UInt8}) AS is_compared, date, bucket, dimension, value, toUInt8(0) AS is_other, views, events, visits, visitors, bounces, seconds
FROM (
SELECT website_id, date, toInt64(0) AS bucket, dimension, value, toUInt64(sum(r.views)) AS views, toUInt64(sum(r.events)) AS events, toUInt64(sum(visitor_id != 0)) AS visits, uniqExactIf(active_visitor, active_visitor != 0) AS visitors, toUInt64(sum(is_bounce)) AS bounces, toUInt64(sum(r.seconds)) AS seconds
FROM (
SELECT
	website_id, date, visitor_id,
	toInt64(0) AS start_ms,
	toUInt8(0) AS is_converted, visitor_id AS active_visitor, views, events, is_bounce, seconds
FROM (
SELECT website_id, date, visitor_id , views, events, is_bounce, seconds, source
FROM visits
WHERE website_id = {p1:UInt32} AND date BETWEEN {p2:Date} AND {p3:Date}
	AND (date, generation) IN arrayZip({p4:Array(Date)}, {p5:Array(UInt64)}))
WHERE has({p6:Array(String)}, toString(source))) AS r
ARRAY JOIN [{p7:String}] AS dimension, [''] AS value
WHERE true
GROUP BY website_id, date, bucket, dimension, value))
-- p0 = 0
-- p1 = 42
-- p2 = "2026-11-09"
-- p3 = "2026-11-14"
-- p4 = ["2026-11-09","2026-11-11","2026-11-12","2026-11-13","2026-11-14"]
-- p5 = ["1109","1111","1112","1113","1114"]
-- p6 = ["Google"]
-- p7 = ""

SELECT is_compared, date, bucket, views, events, visits, visitors, bounces, seconds
FROM (
SELECT toUInt8({p0:UInt8}) AS is_compared, date, bucket, dimension, value, toUInt8(0) AS is_other, views, events, visits, visitors, bounces, seconds
FROM (
SELECT website_id, date, toInt64(0) AS bucket, dimension, value, toUInt64(sum(r.views)) AS views, toUInt64(sum(r.events)) AS events, toUInt64(sum(visitor_id != 0)) AS visits, uniqExactIf(active_visitor, active_visitor != 0) AS visitors, toUInt64(sum(is_bounce)) AS bounces, toUInt64(sum(r.seconds)) AS seconds
FROM (
SELECT
	website_id, date, visitor_id,
	toInt64(0) AS start_ms,
	toUInt8(0) AS is_converted, visitor_id AS active_visitor, views, events, is_bounce, seconds
FROM (
SELECT website_id, date, visitor_id , views, events, is_bounce, seconds, source
FROM open_visits
WHERE website_id = {p1:UInt32} AND date BETWEEN {p2:Date} AND {p3:Date}
	AND (date, generation) IN arrayZip({p4:Array(Date)}, {p5:Array(UInt64)}))
WHERE has({p6:Array(String)}, toString(source))) AS r
ARRAY JOIN [{p7:String}] AS dimension, [''] AS value
WHERE true
GROUP BY website_id, date, bucket, dimension, value))
-- p0 = 0
-- p1 = 42
-- p2 = "2026-11-10"
-- p3 = "2026-11-15"
-- p4 = ["2026-11-10","2026-11-15"]
-- p5 = ["297795584","318767104"]
-- p6 = ["Google"]
-- p7 = ""

SELECT *
FROM (
	SELECT
		*,
		row_number() OVER (PARTITION BY dimension ORDER BY is_other, visitors DESC, value) AS place,
		count() OVER (PARTITION BY dimension) AS total
	FROM (
		SELECT
			dimension,
			if(dimension = 'goal', transform(p.value, {p0:Array(String)}, {p1:Array(String)}, ''), p.value) AS value,
			is_other,
			sum(p.views) AS views, sum(p.events) AS events, sum(p.visits) AS visits, sum(p.visitors) AS visitors, sum(p.bounces) AS bounces, sum(p.seconds) AS seconds
		FROM (
	SELECT toUInt8({p2:UInt8}) AS is_compared, date, bucket, dimension, value, toUInt8(0) AS is_other, views, events, visits, visitors, bounces, seconds
	FROM (
	SELECT website_id, date, toInt64(0) AS bucket, dimension, value, toUInt64(sumIf(kind = 'pageview', true)) AS views, toUInt64(sumIf(kind = 'custom', true)) AS events, toUInt64(sumIf(visitor_id != 0, nth = 1 AND true)) AS visits, uniqExactIf(visitor_id, visitor_id != 0 AND true) AS visitors, toUInt64(sumIf(is_bounce, nth = 1 AND true)) AS bounces, toUInt64(sumIf(r.seconds, nth = 1 AND true)) AS seconds
	FROM (
		SELECT *, start_ms AS event_ms, kind, path, name, props, nth_0, nth_1, nth_2
		FROM (
	SELECT
		website_id, date, visitor_id,
		toInt64(0) AS start_ms,
		toUInt8(0) AS is_converted, visitor_id AS active_visitor, kinds, paths, names, properties, is_bounce, seconds
	FROM (
	SELECT website_id, date, visitor_id , kinds, paths, names, properties, is_bounce, seconds, source
	FROM visits
	WHERE website_id = {p3:UInt32} AND date BETWEEN {p4:Date} AND {p5:Date}
		AND (date, generation) IN arrayZip({p6:Array(Date)}, {p7:Array(UInt64)}))
	WHERE has({p8:Array(String)}, toString(source)))
		ARRAY JOIN kinds AS kind, paths AS path, names AS name, properties AS props, arrayEnumerateUniq(arrayMap((path) -> (true, path), paths)) AS nth_0, arrayEnumerateUniq(arrayMap((name, kind) -> (kind = 'custom', toString(name)), names, kinds)) AS nth_1, arrayEnumerateUniq(arrayMap((props) -> (mapContains(props, {p9:String}), props[{p10:String}]), properties)) AS nth_2
	) AS r
	ARRAY JOIN
		[{p11:String}, {p12:String}, {p13:String}] AS dimension,
		[path, toString(name), props[{p14:String}]] AS value,
		[true, kind = 'custom', mapContains(props, {p15:String})] AS has_value,
		[nth_0, nth_1, nth_2] AS nth
	WHERE has_value AND (true)
	GROUP BY website_id, date, bucket, dimension, value) UNION ALL
	SELECT toUInt8({p16:UInt8}) AS is_compared, date, bucket, dimension, value, toUInt8(0) AS is_other, views, events, visits, visitors, bounces, seconds
	FROM (
	SELECT website_id, date, toInt64(0) AS bucket, dimension, value, toUInt64(sumIf(kind = 'pageview', true)) AS views, toUInt64(sumIf(kind = 'custom', true)) AS events, toUInt64(sumIf(visitor_id != 0, nth = 1 AND true)) AS visits, uniqExactIf(visitor_id, visitor_id != 0 AND true) AS visitors, toUInt64(sumIf(is_bounce, nth = 1 AND true)) AS bounces, toUInt64(sumIf(r.seconds, nth = 1 AND true)) AS seconds
	FROM (
		SELECT *, start_ms AS event_ms, kind, path, name, props, nth_0, nth_1, nth_2
		FROM (
	SELECT
		website_id, date, visitor_id,
		toInt64(0) AS start_ms,
		toUInt8(0) AS is_converted, visitor_id AS active_visitor, kinds, paths, names, properties, is_bounce, seconds
	FROM (
	SELECT website_id, date, visitor_id , kinds, paths, names, properties, is_bounce, seconds, source
	FROM open_visits
	WHERE website_id = {p17:UInt32} AND date BETWEEN {p18:Date} AND {p19:Date}
		AND (date, generation) IN arrayZip({p20:Array(Date)}, {p21:Array(UInt64)}))
	WHERE has({p22:Array(String)}, toString(source)))
		ARRAY JOIN kinds AS kind, paths AS path, names AS name, properties AS props, arrayEnumerateUniq(arrayMap((path) -> (true, path), paths)) AS nth_0, arrayEnumerateUniq(arrayMap((name, kind) -> (kind = 'custom', toString(name)), names, kinds)) AS nth_1, arrayEnumerateUniq(arrayMap((props) -> (mapContains(props, {p23:String}), props[{p24:String}]), properties)) AS nth_2
	) AS r
	ARRAY JOIN
		[{p25:String}, {p26:String}, {p27:String}] AS dimension,
		[path, toString(name), props[{p28:String}]] AS value,
		[true, kind = 'custom', mapContains(props, {p29:String})] AS has_value,
		[nth_0, nth_1, nth_2] AS nth
	WHERE has_value AND (true)
	GROUP BY website_id, date, bucket, dimension, value)) AS p
		GROUP BY dimension, value, is_other
		HAVING true AND (views > 0 OR events > 0 OR visits > 0)
	)
)
-- The first one always comes along: it tells how many there are.
WHERE place = 1 OR place BETWEEN {p30:UInt64} AND {p31:UInt64}
-- p0 = ["5","9"]
-- p1 = ["3","4"]
-- p2 = 0
-- p3 = 42
-- p4 = "2026-11-09"
-- p5 = "2026-11-14"
-- p6 = ["2026-11-09","2026-11-11","2026-11-12","2026-11-13","2026-11-14"]
-- p7 = ["1109","1111","1112","1113","1114"]
-- p8 = ["Google"]
-- p9 = "plan"
-- p10 = "plan"
-- p11 = "page"
-- p12 = "event"
-- p13 = "property:plan"
-- p14 = "plan"
-- p15 = "plan"
-- p16 = 0
-- p17 = 42
-- p18 = "2026-11-10"
-- p19 = "2026-11-15"
-- p20 = ["2026-11-10","2026-11-15"]
-- p21 = ["297795584","318767104"]
-- p22 = ["Google"]
-- p23 = "plan"
-- p24 = "plan"
-- p25 = "page"
-- p26 = "event"
-- p27 = "property:plan"
-- p28 = "plan"
-- p29 = "plan"
-- p30 = 1
-- p31 = 10

SELECT *
FROM (
	SELECT
		*,
		row_number() OVER (PARTITION BY dimension ORDER BY is_other, visitors DESC, value) AS place,
		count() OVER (PARTITION BY dimension) AS total
	FROM (
		SELECT
			dimension,
			if(dimension = 'goal', transform(p.value, {p0:Array(String)}, {p1:Array(String)}, ''), p.value) AS value,
			is_other,
			sum(p.views) AS views, sum(p.events) AS events, sum(p.visits) AS visits, sum(p.visitors) AS visitors, sum(p.bounces) AS bounces, sum(p.seconds) AS seconds
		FROM (
	SELECT toUInt8({p2:UInt8}) AS is_compared, date, bucket, dimension, value, toUInt8(0) AS is_other, views, events, visits, visitors, bounces, seconds
	FROM (
	SELECT website_id, date, toInt64(0) AS bucket, dimension, value, toUInt64(sum(r.views)) AS views, toUInt64(sum(r.events)) AS events, toUInt64(sum(visitor_id != 0)) AS visits, uniqExactIf(active_visitor, active_visitor != 0) AS visitors, toUInt64(sum(is_bounce)) AS bounces, toUInt64(sum(r.seconds)) AS seconds
	FROM (
	SELECT
		website_id, date, visitor_id,
		toInt64(0) AS start_ms,
		toUInt8(0) AS is_converted, visitor_id AS active_visitor, country, views, events, is_bounce, seconds
	FROM (
	SELECT website_id, date, visitor_id , country, views, events, is_bounce, seconds, source
	FROM visits
	WHERE website_id = {p3:UInt32} AND date BETWEEN {p4:Date} AND {p5:Date}
		AND (date, generation) IN arrayZip({p6:Array(Date)}, {p7:Array(UInt64)}))
	WHERE has({p8:Array(String)}, toString(source))) AS r
	ARRAY JOIN [{p9:String}] AS dimension, [toString(country)] AS value
	WHERE true
	GROUP BY website_id, date, bucket, dimension, value) UNION ALL
	SELECT toUInt8({p10:UInt8}) AS is_compared, date, bucket, dimension, value, toUInt8(0) AS is_other, views, events, visits, visitors, bounces, seconds
	FROM (
	SELECT website_id, date, toInt64(0) AS bucket, dimension, value, toUInt64(sum(r.views)) AS views, toUInt64(sum(r.events)) AS events, toUInt64(sum(visitor_id != 0)) AS visits, uniqExactIf(active_visitor, active_visitor != 0) AS visitors, toUInt64(sum(is_bounce)) AS bounces, toUInt64(sum(r.seconds)) AS seconds
	FROM (
	SELECT
		website_id, date, visitor_id,
		toInt64(0) AS start_ms,
		toUInt8(0) AS is_converted, visitor_id AS active_visitor, country, views, events, is_bounce, seconds
	FROM (
	SELECT website_id, date, visitor_id , country, views, events, is_bounce, seconds, source
	FROM open_visits
	WHERE website_id = {p11:UInt32} AND date BETWEEN {p12:Date} AND {p13:Date}
		AND (date, generation) IN arrayZip({p14:Array(Date)}, {p15:Array(UInt64)}))
	WHERE has({p16:Array(String)}, toString(source))) AS r
	ARRAY JOIN [{p17:String}] AS dimension, [toString(country)] AS value
	WHERE true
	GROUP BY website_id, date, bucket, dimension, value)) AS p
		GROUP BY dimension, value, is_other
		HAVING true AND (views > 0 OR events > 0 OR visits > 0)
	)
)
-- The first one always comes along: it tells how many there are.
WHERE place = 1 OR place BETWEEN {p18:UInt64} AND {p19:UInt64}
-- p0 = ["5","9"]
-- p1 = ["3","4"]
-- p2 = 0
-- p3 = 42
-- p4 = "2026-11-09"
-- p5 = "2026-11-14"
-- p6 = ["2026-11-09","2026-11-11","2026-11-12","2026-11-13","2026-11-14"]
-- p7 = ["1109","1111","1112","1113","1114"]
-- p8 = ["Google"]
-- p9 = "country"
-- p10 = 0
-- p11 = 42
-- p12 = "2026-11-10"
-- p13 = "2026-11-15"
-- p14 = ["2026-11-10","2026-11-15"]
-- p15 = ["297795584","318767104"]
-- p16 = ["Google"]
-- p17 = "country"
-- p18 = 1
-- p19 = 10

SELECT *
FROM (
	SELECT
		*,
		row_number() OVER (PARTITION BY dimension ORDER BY is_other, visitors DESC, value) AS place,
		count() OVER (PARTITION BY dimension) AS total
	FROM (
		SELECT
			dimension,
			if(dimension = 'goal', transform(p.value, {p0:Array(String)}, {p1:Array(String)}, ''), p.value) AS value,
			is_other,
			sum(p.views) AS views, sum(p.events) AS events, sum(p.visits) AS visits, sum(p.visitors) AS visitors, sum(p.bounces) AS bounces, sum(p.seconds) AS seconds
		FROM (
	SELECT toUInt8({p2:UInt8}) AS is_compared, date, bucket, dimension, value, toUInt8(0) AS is_other, views, events, visits, visitors, bounces, seconds
	FROM (
	SELECT website_id, date, toInt64(0) AS bucket, 'goal' AS dimension, value, toUInt64(sumIf(kind = 'pageview', true)) AS views, toUInt64(sumIf(kind = 'custom', true)) AS events, toUInt64(sumIf(visitor_id != 0, nth = 1 AND true)) AS visits, uniqExactIf(visitor_id, visitor_id != 0 AND true) AS visitors, toUInt64(sumIf(is_bounce, nth = 1 AND true)) AS bounces, toUInt64(sumIf(r.seconds, nth = 1 AND true)) AS seconds
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
		toUInt8(0) AS is_converted, visitor_id AS active_visitor, kinds, names, paths, properties, is_bounce, seconds
	FROM (
	SELECT website_id, date, visitor_id , kinds, names, paths, properties, is_bounce, seconds, source
	FROM visits
	WHERE website_id = {p3:UInt32} AND date BETWEEN {p4:Date} AND {p5:Date}
		AND (date, generation) IN arrayZip({p6:Array(Date)}, {p7:Array(UInt64)}))
	WHERE has({p8:Array(String)}, toString(source))) AS r
			INNER JOIN (
				SELECT
					goal.1 AS website_id, goal.2 AS value, goal.3 AS goal_is_page, goal.4 AS goal_pattern,
					goal.5 AS goal_has_property, goal.6 AS goal_property, goal.7 AS goal_property_value
				FROM (
					SELECT arrayJoin(arrayZip(
						{p9:Array(UInt32)},
						{p10:Array(String)},
						{p11:Array(UInt8)},
						{p12:Array(String)},
						{p13:Array(UInt8)},
						{p14:Array(String)},
						{p15:Array(String)}
					)) AS goal
				)
			) AS g USING (website_id)
			WHERE has(reached, 1)
		)
		ARRAY JOIN kinds AS kind, names AS name, paths AS path, properties AS props, reached AS is_reached, arrayCumSum(reached) AS nth
		WHERE is_reached
	) AS r
	GROUP BY website_id, date, bucket, value) UNION ALL
	SELECT toUInt8({p16:UInt8}) AS is_compared, date, bucket, dimension, value, toUInt8(0) AS is_other, views, events, visits, visitors, bounces, seconds
	FROM (
	SELECT website_id, date, toInt64(0) AS bucket, 'goal' AS dimension, value, toUInt64(sumIf(kind = 'pageview', true)) AS views, toUInt64(sumIf(kind = 'custom', true)) AS events, toUInt64(sumIf(visitor_id != 0, nth = 1 AND true)) AS visits, uniqExactIf(visitor_id, visitor_id != 0 AND true) AS visitors, toUInt64(sumIf(is_bounce, nth = 1 AND true)) AS bounces, toUInt64(sumIf(r.seconds, nth = 1 AND true)) AS seconds
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
		toUInt8(0) AS is_converted, visitor_id AS active_visitor, kinds, names, paths, properties, is_bounce, seconds
	FROM (
	SELECT website_id, date, visitor_id , kinds, names, paths, properties, is_bounce, seconds, source
	FROM open_visits
	WHERE website_id = {p17:UInt32} AND date BETWEEN {p18:Date} AND {p19:Date}
		AND (date, generation) IN arrayZip({p20:Array(Date)}, {p21:Array(UInt64)}))
	WHERE has({p22:Array(String)}, toString(source))) AS r
			INNER JOIN (
				SELECT
					goal.1 AS website_id, goal.2 AS value, goal.3 AS goal_is_page, goal.4 AS goal_pattern,
					goal.5 AS goal_has_property, goal.6 AS goal_property, goal.7 AS goal_property_value
				FROM (
					SELECT arrayJoin(arrayZip(
						{p23:Array(UInt32)},
						{p24:Array(String)},
						{p25:Array(UInt8)},
						{p26:Array(String)},
						{p27:Array(UInt8)},
						{p28:Array(String)},
						{p29:Array(String)}
					)) AS goal
				)
			) AS g USING (website_id)
			WHERE has(reached, 1)
		)
		ARRAY JOIN kinds AS kind, names AS name, paths AS path, properties AS props, reached AS is_reached, arrayCumSum(reached) AS nth
		WHERE is_reached
	) AS r
	GROUP BY website_id, date, bucket, value)) AS p
		GROUP BY dimension, value, is_other
		HAVING true AND (views > 0 OR events > 0 OR visits > 0)
	)
)
-- The first one always comes along: it tells how many there are.
WHERE place = 1 OR place BETWEEN {p30:UInt64} AND {p31:UInt64}
-- p0 = ["5","9"]
-- p1 = ["3","4"]
-- p2 = 0
-- p3 = 42
-- p4 = "2026-11-09"
-- p5 = "2026-11-14"
-- p6 = ["2026-11-09","2026-11-11","2026-11-12","2026-11-13","2026-11-14"]
-- p7 = ["1109","1111","1112","1113","1114"]
-- p8 = ["Google"]
-- p9 = [42,42]
-- p10 = ["5","9"]
-- p11 = [0,1]
-- p12 = ["signup","/thanks%"]
-- p13 = [0,1]
-- p14 = ["","plan"]
-- p15 = ["","pro"]
-- p16 = 0
-- p17 = 42
-- p18 = "2026-11-10"
-- p19 = "2026-11-15"
-- p20 = ["2026-11-10","2026-11-15"]
-- p21 = ["297795584","318767104"]
-- p22 = ["Google"]
-- p23 = [42,42]
-- p24 = ["5","9"]
-- p25 = [0,1]
-- p26 = ["signup","/thanks%"]
-- p27 = [0,1]
-- p28 = ["","plan"]
-- p29 = ["","pro"]
-- p30 = 1
-- p31 = 10
