-- A year by month.

SELECT
	if(dimension = '', date, toDate(0)) AS day, toInt64(0) AS bucket, toString(dimension) AS dimension, t.value AS value,
	is_other, sum(t.views) AS views, sum(t.events) AS events, sum(t.visits) AS visits, sum(t.visitors) AS visitors, sumMap(t.revenue) AS revenue
FROM totals AS t
WHERE website_id = {p0:UInt32} AND ((dimension IN {p1:Array(String)}
	AND date BETWEEN {p2:Date} AND {p3:Date}
	AND (date, generation) IN arrayZip({p4:Array(Date)}, {p5:Array(UInt64)})))
	AND (dimension != 'goal' OR has({p6:Array(String)}, t.value))
GROUP BY day, dimension, value, is_other
LIMIT {p7:UInt64} BY day, dimension
-- p0 = 42
-- p1 = [""]
-- p2 = "2026-09-01"
-- p3 = "2026-11-14"
-- p4 = ["2026-09-01","2026-09-02","2026-09-03","2026-09-04","2026-09-05","2026-09-06","2026-09-07","2026-09-08","2026-09-09","2026-09-10","2026-09-11","2026-09-12","2026-09-13","2026-09-14","2026-09-15","2026-09-16","2026-09-17","2026-09-18","2026-09-19","2026-09-20","2026-09-21","2026-09-22","2026-09-23","2026-09-24","2026-09-25","2026-09-26","2026-09-27","2026-09-28","2026-09-29","2026-09-30","2026-10-01","2026-10-02","2026-10-03","2026-10-04","2026-10-05","2026-10-06","2026-10-07","2026-10-08","2026-10-09","2026-10-10","2026-10-11","2026-10-12","2026-10-13","2026-10-14","2026-10-15","2026-10-16","2026-10-17","2026-10-18","2026-10-19","2026-10-20","2026-10-21","2026-10-22","2026-10-23","2026-10-24","2026-10-25","2026-10-26","2026-10-27","2026-10-28","2026-10-29","2026-10-30","2026-10-31","2026-11-01","2026-11-02","2026-11-03","2026-11-04","2026-11-05","2026-11-06","2026-11-07","2026-11-08","2026-11-09","2026-11-11","2026-11-12","2026-11-13","2026-11-14"]
-- p5 = ["901","902","903","904","905","906","907","908","909","910","911","912","913","914","915","916","917","918","919","920","921","922","923","924","925","926","927","928","929","930","1001","1002","1003","1004","1005","1006","1007","1008","1009","1010","1011","1012","1013","1014","1015","1016","1017","1018","1019","1020","1021","1022","1023","1024","1025","1026","1027","1028","1029","1030","1031","1101","1102","1103","1104","1105","1106","1107","1108","1109","1111","1112","1113","1114"]
-- p6 = ["5","9"]
-- p7 = 4000

SELECT * FROM (
SELECT
	day, toInt64(0) AS bucket, dimension, value, toUInt8(0) AS is_other,
	views, events, visits, visitors, revenue
FROM (
SELECT
	value_0 AS day,
	{p0:Array(String)}[indexOf({p1:Array(UInt64)}, toUInt64(grouping(value_0)))] AS dimension,
	[''][indexOf({p2:Array(UInt64)}, toUInt64(grouping(value_0)))] AS value,
	toUInt64(sum(r.views)) AS views, toUInt64(sum(r.events)) AS events, toUInt64(sum(visitor_id != 0)) AS visits, countIf(is_only AND active_visitor != 0 AND true) + uniqExactIf(active_visitor + toUInt16(r.date) * 11400714819323198485, active_visitor != 0 AND NOT is_only AND true) AS visitors, CAST(mapFilter((currency, amount) -> currency != '', mapFromArrays((sumMap(currencies, revenues) AS money).1, money.2)), 'Map(LowCardinality(String), Decimal(38, 4))') AS revenue
FROM (SELECT *, date AS value_0 FROM (
SELECT
	website_id, date, visitor_id,
	toInt64(0) AS start_ms,
	toUInt8(0) AS is_converted, visitor_id AS active_visitor, is_only, views, events, currencies, revenues
FROM (
SELECT website_id, date, visitor_id , is_only, views, events, currencies, revenues
FROM open_visits
WHERE website_id = {p3:UInt32} AND date BETWEEN {p4:Date} AND {p5:Date}
	AND (date, generation) IN arrayZip({p6:Array(Date)}, {p7:Array(UInt64)}))
WHERE true)) AS r
WHERE true
GROUP BY GROUPING SETS ((value_0))))
LIMIT {p8:UInt64} BY day, bucket, dimension
-- p0 = [""]
-- p1 = ["0"]
-- p2 = ["0"]
-- p3 = 42
-- p4 = "2026-11-10"
-- p5 = "2026-11-15"
-- p6 = ["2026-11-10","2026-11-15"]
-- p7 = ["297795584","318767104"]
-- p8 = 4000
