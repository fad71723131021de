-- The same with a filter.

SELECT is_compared, date, bucket, views, events, visits, visitors, bounces, seconds
FROM (
SELECT toUInt8({p0:UInt8}) AS is_compared, date, bucket, dimension, value, toUInt8(0) AS is_other, views, events, visits, visitors, bounces, seconds
FROM (
SELECT website_id, date, toInt64(0) AS bucket, dimension, value, toUInt64(sum(r.views)) AS views, toUInt64(sum(r.events)) AS events, toUInt64(sum(visitor_id != 0)) AS visits, countIf(is_only AND active_visitor != 0 AND true) + uniqExactIf(active_visitor, active_visitor != 0 AND NOT is_only) AS visitors, toUInt64(sum(is_bounce)) AS bounces, toUInt64(sum(r.seconds)) AS seconds
FROM (
SELECT
	website_id, date, visitor_id,
	toInt64(0) AS start_ms,
	toUInt8(0) AS is_converted, visitor_id AS active_visitor, is_only, views, events, is_bounce, seconds
FROM (
SELECT website_id, date, visitor_id , is_only, views, events, is_bounce, seconds, source
FROM visits
WHERE website_id = {p1:UInt32} AND date BETWEEN {p2:Date} AND {p3:Date}
	AND (date, generation) IN arrayZip({p4:Array(Date)}, {p5:Array(UInt64)}))
WHERE source IN {p6:Array(String)}) AS r
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
SELECT website_id, date, toInt64(0) AS bucket, dimension, value, toUInt64(sum(r.views)) AS views, toUInt64(sum(r.events)) AS events, toUInt64(sum(visitor_id != 0)) AS visits, countIf(is_only AND active_visitor != 0 AND true) + uniqExactIf(active_visitor, active_visitor != 0 AND NOT is_only) AS visitors, toUInt64(sum(is_bounce)) AS bounces, toUInt64(sum(r.seconds)) AS seconds
FROM (
SELECT
	website_id, date, visitor_id,
	toInt64(0) AS start_ms,
	toUInt8(0) AS is_converted, visitor_id AS active_visitor, is_only, views, events, is_bounce, seconds
FROM (
SELECT website_id, date, visitor_id , is_only, views, events, is_bounce, seconds, source
FROM open_visits
WHERE website_id = {p1:UInt32} AND date BETWEEN {p2:Date} AND {p3:Date}
	AND (date, generation) IN arrayZip({p4:Array(Date)}, {p5:Array(UInt64)}))
WHERE source IN {p6:Array(String)}) AS r
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
	SELECT  dimension, value, toUInt8(0) AS is_other, views, events, visits, visitors, bounces, seconds
	FROM (
	SELECT  dimension, value, toUInt64(sumIf(kind = 'pageview', true)) AS views, toUInt64(sumIf(kind = 'custom', true)) AS events, toUInt64(sumIf(visitor_id != 0, nth = 1 AND true)) AS visits, countIf(is_only AND visitor_id != 0 AND nth = 1) + uniqExactIf(bitOr(bitShiftLeft(toUInt128(toUInt16(r.date)), 64), toUInt128(visitor_id)), visitor_id != 0 AND NOT is_only) AS visitors, toUInt64(sumIf(is_bounce, nth = 1 AND true)) AS bounces, toUInt64(sumIf(r.seconds, nth = 1 AND true)) AS seconds
	FROM (
		SELECT *, start_ms AS event_ms, kind, path, name, props, nth_0, nth_1, nth_2
		FROM (
	SELECT
		website_id, date, visitor_id,
		toInt64(0) AS start_ms,
		toUInt8(0) AS is_converted, visitor_id AS active_visitor, is_only, kinds, paths, names, properties, is_bounce, seconds
	FROM (
	SELECT website_id, date, visitor_id , is_only, kinds, paths, names, properties, is_bounce, seconds, source
	FROM visits
	WHERE website_id = {p2:UInt32} AND date BETWEEN {p3:Date} AND {p4:Date}
		AND (date, generation) IN arrayZip({p5:Array(Date)}, {p6:Array(UInt64)}))
	WHERE source IN {p7:Array(String)})
		ARRAY JOIN kinds AS kind, paths AS path, names AS name, properties AS props, arrayEnumerateUniq(arrayMap((path) -> (true, path), paths)) AS nth_0, arrayEnumerateUniq(arrayMap((name, kind) -> (kind = 'custom', toString(name)), names, kinds)) AS nth_1, arrayEnumerateUniq(arrayMap((props) -> (mapContains(props, {p8:String}), props[{p9:String}]), properties)) AS nth_2
	) AS r
	ARRAY JOIN
		[{p10:String}, {p11:String}, {p12:String}] AS dimension,
		[path, toString(name), props[{p13:String}]] AS value,
		[true, kind = 'custom', mapContains(props, {p14:String})] AS has_value,
		[nth_0, nth_1, nth_2] AS nth
	WHERE has_value AND (true)
	GROUP BY  dimension, value) UNION ALL
	SELECT  dimension, value, toUInt8(0) AS is_other, views, events, visits, visitors, bounces, seconds
	FROM (
	SELECT  dimension, value, toUInt64(sumIf(kind = 'pageview', true)) AS views, toUInt64(sumIf(kind = 'custom', true)) AS events, toUInt64(sumIf(visitor_id != 0, nth = 1 AND true)) AS visits, countIf(is_only AND visitor_id != 0 AND nth = 1) + uniqExactIf(bitOr(bitShiftLeft(toUInt128(toUInt16(r.date)), 64), toUInt128(visitor_id)), visitor_id != 0 AND NOT is_only) AS visitors, toUInt64(sumIf(is_bounce, nth = 1 AND true)) AS bounces, toUInt64(sumIf(r.seconds, nth = 1 AND true)) AS seconds
	FROM (
		SELECT *, start_ms AS event_ms, kind, path, name, props, nth_0, nth_1, nth_2
		FROM (
	SELECT
		website_id, date, visitor_id,
		toInt64(0) AS start_ms,
		toUInt8(0) AS is_converted, visitor_id AS active_visitor, is_only, kinds, paths, names, properties, is_bounce, seconds
	FROM (
	SELECT website_id, date, visitor_id , is_only, kinds, paths, names, properties, is_bounce, seconds, source
	FROM open_visits
	WHERE website_id = {p15:UInt32} AND date BETWEEN {p16:Date} AND {p17:Date}
		AND (date, generation) IN arrayZip({p18:Array(Date)}, {p19:Array(UInt64)}))
	WHERE source IN {p20:Array(String)})
		ARRAY JOIN kinds AS kind, paths AS path, names AS name, properties AS props, arrayEnumerateUniq(arrayMap((path) -> (true, path), paths)) AS nth_0, arrayEnumerateUniq(arrayMap((name, kind) -> (kind = 'custom', toString(name)), names, kinds)) AS nth_1, arrayEnumerateUniq(arrayMap((props) -> (mapContains(props, {p21:String}), props[{p22:String}]), properties)) AS nth_2
	) AS r
	ARRAY JOIN
		[{p23:String}, {p24:String}, {p25:String}] AS dimension,
		[path, toString(name), props[{p26:String}]] AS value,
		[true, kind = 'custom', mapContains(props, {p27:String})] AS has_value,
		[nth_0, nth_1, nth_2] AS nth
	WHERE has_value AND (true)
	GROUP BY  dimension, value)) AS p
		GROUP BY dimension, value, is_other
		HAVING true AND (views > 0 OR events > 0 OR visits > 0)
	)
)
-- The first one always comes along: it tells how many there are.
WHERE place = 1 OR place BETWEEN {p28:UInt64} AND {p29:UInt64}
-- p0 = ["5","9"]
-- p1 = ["3","4"]
-- p2 = 42
-- p3 = "2026-11-09"
-- p4 = "2026-11-14"
-- p5 = ["2026-11-09","2026-11-11","2026-11-12","2026-11-13","2026-11-14"]
-- p6 = ["1109","1111","1112","1113","1114"]
-- p7 = ["Google"]
-- p8 = "plan"
-- p9 = "plan"
-- p10 = "page"
-- p11 = "event"
-- p12 = "property:plan"
-- p13 = "plan"
-- p14 = "plan"
-- p15 = 42
-- p16 = "2026-11-10"
-- p17 = "2026-11-15"
-- p18 = ["2026-11-10","2026-11-15"]
-- p19 = ["297795584","318767104"]
-- p20 = ["Google"]
-- p21 = "plan"
-- p22 = "plan"
-- p23 = "page"
-- p24 = "event"
-- p25 = "property:plan"
-- p26 = "plan"
-- p27 = "plan"
-- p28 = 1
-- p29 = 10

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
	SELECT  dimension, value, toUInt8(0) AS is_other, views, events, visits, visitors, bounces, seconds
	FROM (
	SELECT  dimension, value, toUInt64(sum(r.views)) AS views, toUInt64(sum(r.events)) AS events, toUInt64(sum(visitor_id != 0)) AS visits, countIf(is_only AND active_visitor != 0 AND true) + uniqExactIf(bitOr(bitShiftLeft(toUInt128(toUInt16(r.date)), 64), toUInt128(active_visitor)), active_visitor != 0 AND NOT is_only) AS visitors, toUInt64(sum(is_bounce)) AS bounces, toUInt64(sum(r.seconds)) AS seconds
	FROM (
	SELECT
		website_id, date, visitor_id,
		toInt64(0) AS start_ms,
		toUInt8(0) AS is_converted, visitor_id AS active_visitor, is_only, country, views, events, is_bounce, seconds
	FROM (
	SELECT website_id, date, visitor_id , is_only, country, views, events, is_bounce, seconds, source
	FROM visits
	WHERE website_id = {p2:UInt32} AND date BETWEEN {p3:Date} AND {p4:Date}
		AND (date, generation) IN arrayZip({p5:Array(Date)}, {p6:Array(UInt64)}))
	WHERE source IN {p7:Array(String)}) AS r
	ARRAY JOIN [{p8:String}] AS dimension, [toString(country)] AS value
	WHERE true
	GROUP BY  dimension, value) UNION ALL
	SELECT  dimension, value, toUInt8(0) AS is_other, views, events, visits, visitors, bounces, seconds
	FROM (
	SELECT  dimension, value, toUInt64(sum(r.views)) AS views, toUInt64(sum(r.events)) AS events, toUInt64(sum(visitor_id != 0)) AS visits, countIf(is_only AND active_visitor != 0 AND true) + uniqExactIf(bitOr(bitShiftLeft(toUInt128(toUInt16(r.date)), 64), toUInt128(active_visitor)), active_visitor != 0 AND NOT is_only) AS visitors, toUInt64(sum(is_bounce)) AS bounces, toUInt64(sum(r.seconds)) AS seconds
	FROM (
	SELECT
		website_id, date, visitor_id,
		toInt64(0) AS start_ms,
		toUInt8(0) AS is_converted, visitor_id AS active_visitor, is_only, country, views, events, is_bounce, seconds
	FROM (
	SELECT website_id, date, visitor_id , is_only, country, views, events, is_bounce, seconds, source
	FROM open_visits
	WHERE website_id = {p9:UInt32} AND date BETWEEN {p10:Date} AND {p11:Date}
		AND (date, generation) IN arrayZip({p12:Array(Date)}, {p13:Array(UInt64)}))
	WHERE source IN {p14:Array(String)}) AS r
	ARRAY JOIN [{p15:String}] AS dimension, [toString(country)] AS value
	WHERE true
	GROUP BY  dimension, value)) AS p
		GROUP BY dimension, value, is_other
		HAVING true AND (views > 0 OR events > 0 OR visits > 0)
	)
)
-- The first one always comes along: it tells how many there are.
WHERE place = 1 OR place BETWEEN {p16:UInt64} AND {p17:UInt64}
-- p0 = ["5","9"]
-- p1 = ["3","4"]
-- p2 = 42
-- p3 = "2026-11-09"
-- p4 = "2026-11-14"
-- p5 = ["2026-11-09","2026-11-11","2026-11-12","2026-11-13","2026-11-14"]
-- p6 = ["1109","1111","1112","1113","1114"]
-- p7 = ["Google"]
-- p8 = "country"
-- p9 = 42
-- p10 = "2026-11-10"
-- p11 = "2026-11-15"
-- p12 = ["2026-11-10","2026-11-15"]
-- p13 = ["297795584","318767104"]
-- p14 = ["Google"]
-- p15 = "country"
-- p16 = 1
-- p17 = 10

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
	SELECT  dimension, value, toUInt8(0) AS is_other, views, events, visits, visitors, bounces, seconds
	FROM (
	SELECT  'goal' AS dimension, value, toUInt64(sumIf(kind = 'pageview', true)) AS views, toUInt64(sumIf(kind = 'custom', true)) AS events, toUInt64(sumIf(visitor_id != 0, nth = 1 AND true)) AS visits, countIf(is_only AND visitor_id != 0 AND nth = 1) + uniqExactIf(bitOr(bitShiftLeft(toUInt128(toUInt16(r.date)), 64), toUInt128(visitor_id)), visitor_id != 0 AND NOT is_only) AS visitors, toUInt64(sumIf(is_bounce, nth = 1 AND true)) AS bounces, toUInt64(sumIf(r.seconds, nth = 1 AND true)) AS seconds
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
		toUInt8(0) AS is_converted, visitor_id AS active_visitor, is_only, kinds, names, paths, properties, is_bounce, seconds
	FROM (
	SELECT website_id, date, visitor_id , is_only, kinds, names, paths, properties, is_bounce, seconds, source
	FROM visits
	WHERE website_id = {p2:UInt32} AND date BETWEEN {p3:Date} AND {p4:Date}
		AND (date, generation) IN arrayZip({p5:Array(Date)}, {p6:Array(UInt64)}))
	WHERE source IN {p7:Array(String)}) AS r
			INNER JOIN (
				SELECT
					goal.1 AS website_id, goal.2 AS value, goal.3 AS goal_is_page, goal.4 AS goal_pattern,
					goal.5 AS goal_has_property, goal.6 AS goal_property, goal.7 AS goal_property_value
				FROM (
					SELECT arrayJoin(arrayZip(
						{p8:Array(UInt32)},
						{p9:Array(String)},
						{p10:Array(UInt8)},
						{p11:Array(String)},
						{p12:Array(UInt8)},
						{p13:Array(String)},
						{p14:Array(String)}
					)) AS goal
				)
			) AS g USING (website_id)
			WHERE has(reached, 1)
		)
		ARRAY JOIN kinds AS kind, names AS name, paths AS path, properties AS props, reached AS is_reached, arrayCumSum(reached) AS nth
		WHERE is_reached
	) AS r
	GROUP BY  value) UNION ALL
	SELECT  dimension, value, toUInt8(0) AS is_other, views, events, visits, visitors, bounces, seconds
	FROM (
	SELECT  'goal' AS dimension, value, toUInt64(sumIf(kind = 'pageview', true)) AS views, toUInt64(sumIf(kind = 'custom', true)) AS events, toUInt64(sumIf(visitor_id != 0, nth = 1 AND true)) AS visits, countIf(is_only AND visitor_id != 0 AND nth = 1) + uniqExactIf(bitOr(bitShiftLeft(toUInt128(toUInt16(r.date)), 64), toUInt128(visitor_id)), visitor_id != 0 AND NOT is_only) AS visitors, toUInt64(sumIf(is_bounce, nth = 1 AND true)) AS bounces, toUInt64(sumIf(r.seconds, nth = 1 AND true)) AS seconds
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
		toUInt8(0) AS is_converted, visitor_id AS active_visitor, is_only, kinds, names, paths, properties, is_bounce, seconds
	FROM (
	SELECT website_id, date, visitor_id , is_only, kinds, names, paths, properties, is_bounce, seconds, source
	FROM open_visits
	WHERE website_id = {p15:UInt32} AND date BETWEEN {p16:Date} AND {p17:Date}
		AND (date, generation) IN arrayZip({p18:Array(Date)}, {p19:Array(UInt64)}))
	WHERE source IN {p20:Array(String)}) AS r
			INNER JOIN (
				SELECT
					goal.1 AS website_id, goal.2 AS value, goal.3 AS goal_is_page, goal.4 AS goal_pattern,
					goal.5 AS goal_has_property, goal.6 AS goal_property, goal.7 AS goal_property_value
				FROM (
					SELECT arrayJoin(arrayZip(
						{p21:Array(UInt32)},
						{p22:Array(String)},
						{p23:Array(UInt8)},
						{p24:Array(String)},
						{p25:Array(UInt8)},
						{p26:Array(String)},
						{p27:Array(String)}
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
		HAVING true AND (views > 0 OR events > 0 OR visits > 0)
	)
)
-- The first one always comes along: it tells how many there are.
WHERE place = 1 OR place BETWEEN {p28:UInt64} AND {p29:UInt64}
-- p0 = ["5","9"]
-- p1 = ["3","4"]
-- p2 = 42
-- p3 = "2026-11-09"
-- p4 = "2026-11-14"
-- p5 = ["2026-11-09","2026-11-11","2026-11-12","2026-11-13","2026-11-14"]
-- p6 = ["1109","1111","1112","1113","1114"]
-- p7 = ["Google"]
-- p8 = [42,42]
-- p9 = ["5","9"]
-- p10 = [0,1]
-- p11 = ["signup","/thanks%"]
-- p12 = [0,1]
-- p13 = ["","plan"]
-- p14 = ["","pro"]
-- p15 = 42
-- p16 = "2026-11-10"
-- p17 = "2026-11-15"
-- p18 = ["2026-11-10","2026-11-15"]
-- p19 = ["297795584","318767104"]
-- p20 = ["Google"]
-- p21 = [42,42]
-- p22 = ["5","9"]
-- p23 = [0,1]
-- p24 = ["signup","/thanks%"]
-- p25 = [0,1]
-- p26 = ["","plan"]
-- p27 = ["","pro"]
-- p28 = 1
-- p29 = 10
