-- Visits with an event that is worth more than an amount, and one of a price.

SELECT * FROM (
SELECT
	day, toInt64(0) AS bucket, dimension, value, toUInt8(0) AS is_other,
	views, events, visits, visitors, bounces, seconds
FROM (
SELECT
	value_0 AS day,
	{p0:Array(String)}[indexOf({p1:Array(UInt64)}, toUInt64(grouping(value_0)))] AS dimension,
	[''][indexOf({p2:Array(UInt64)}, toUInt64(grouping(value_0)))] AS value,
	toUInt64(sum(r.views)) AS views, toUInt64(sum(r.events)) AS events, toUInt64(sum(visitor_id != 0)) AS visits, countIf(is_only AND active_visitor != 0 AND true) + uniqExactIf(active_visitor + toUInt16(r.date) * 11400714819323198485, active_visitor != 0 AND NOT is_only AND true) AS visitors, toUInt64(sum(is_bounce)) AS bounces, toUInt64(sum(r.seconds)) AS seconds
FROM (SELECT *, date AS value_0 FROM (
SELECT website_id, date, visitor_id, start_ms, is_converted, if(has(is_met, 1), visitor_id, 0) AS active_visitor, r.is_only AS is_only, arrayCount((kind, met) -> met AND kind = 'pageview', r.kinds, is_met) AS views, arrayCount((kind, met) -> met AND kind = 'custom', r.kinds, is_met) AS events, r.is_bounce AS is_bounce, r.seconds AS seconds
FROM (
	SELECT
	website_id, date, visitor_id,
	toInt64(0) AS start_ms,
	toUInt8(0) AS is_converted, is_only, kinds, is_bounce, seconds, arrayMap((currency, revenue_here, props) -> ((currency = {p3:String} AND toDecimal256(revenue_here, {p4:UInt8}) > toDecimal256OrZero({p5:String}, {p6:UInt8})) OR ((mapContains(props, {p7:String}) AND (match(props[{p8:String}], {p9:String}) AND toDecimal256OrZero(props[{p10:String}], {p11:UInt8}) BETWEEN toDecimal256OrZero({p12:String}, {p13:UInt8}) AND toDecimal256OrZero({p14:String}, {p15:UInt8}))) AND (currency != ''))), currencies, revenues, properties) AS is_met
	FROM (
SELECT website_id, date, visitor_id , is_only, kinds, is_bounce, seconds, currencies, revenues, properties
FROM visits
WHERE website_id = {p16:UInt32} AND date BETWEEN {p17:Date} AND {p18:Date}
	AND (date, generation) IN arrayZip({p19:Array(Date)}, {p20:Array(UInt64)}))
	WHERE arrayExists((currency, revenue_here, props) -> ((currency = {p21:String} AND toDecimal256(revenue_here, {p22:UInt8}) > toDecimal256OrZero({p23:String}, {p24:UInt8})) OR ((mapContains(props, {p25:String}) AND (match(props[{p26:String}], {p27:String}) AND toDecimal256OrZero(props[{p28:String}], {p29:UInt8}) BETWEEN toDecimal256OrZero({p30:String}, {p31:UInt8}) AND toDecimal256OrZero({p32:String}, {p33:UInt8}))) AND (currency != ''))), currencies, revenues, properties)
) AS r)) AS r
WHERE true
GROUP BY GROUPING SETS ((value_0))))
LIMIT {p34:UInt64} BY day, bucket, dimension
-- p0 = [""]
-- p1 = ["0"]
-- p2 = ["0"]
-- p3 = "EUR"
-- p4 = 25
-- p5 = "19.99"
-- p6 = 25
-- p7 = "price"
-- p8 = "price"
-- p9 = "^-?[0-9]{1,21}([.][0-9]{1,25})?$"
-- p10 = "price"
-- p11 = 25
-- p12 = "10"
-- p13 = 25
-- p14 = "20"
-- p15 = 25
-- p16 = 42
-- p17 = "2026-11-01"
-- p18 = "2026-11-07"
-- p19 = ["2026-11-01","2026-11-02","2026-11-03","2026-11-04","2026-11-05","2026-11-06","2026-11-07"]
-- p20 = ["1101","1102","1103","1104","1105","1106","1107"]
-- p21 = "EUR"
-- p22 = 25
-- p23 = "19.99"
-- p24 = 25
-- p25 = "price"
-- p26 = "price"
-- p27 = "^-?[0-9]{1,21}([.][0-9]{1,25})?$"
-- p28 = "price"
-- p29 = 25
-- p30 = "10"
-- p31 = 25
-- p32 = "20"
-- p33 = 25
-- p34 = 4000
