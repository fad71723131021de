-- Every metric that needs no goal, of a sealed week.

SELECT is_compared, date, bucket, views, events, visits, visitors, visit_views, bounces, seconds, engaged_ms, engaged_views, scroll, scroll_views, revenue
FROM (
SELECT toUInt8({p0:UInt8}) AS is_compared, date, toInt64(0) AS bucket, toString(dimension) AS dimension, value, is_other, t.views, t.events, t.visits, t.visitors, t.visit_views, t.bounces, t.seconds, t.engaged_ms, t.engaged_views, t.scroll, t.scroll_views, CAST(t.revenue, 'Map(LowCardinality(String), Decimal(38, 4))') AS revenue
FROM totals AS t
WHERE website_id = {p1:UInt32}
	AND dimension IN {p2:Array(String)}
	AND date BETWEEN {p3:Date} AND {p4:Date}
	AND (date, generation) IN arrayZip({p5:Array(Date)}, {p6:Array(UInt64)})
	AND (dimension != 'goal' OR has({p7:Array(String)}, value)))
-- p0 = 0
-- p1 = 42
-- p2 = [""]
-- p3 = "2026-11-01"
-- p4 = "2026-11-07"
-- p5 = ["2026-11-01","2026-11-02","2026-11-03","2026-11-04","2026-11-05","2026-11-06","2026-11-07"]
-- p6 = ["1101","1102","1103","1104","1105","1106","1107"]
-- p7 = ["5","9"]
