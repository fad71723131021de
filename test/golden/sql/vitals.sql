-- Web vitals of some pages, as the public is shown them: from the events themselves.

SELECT vital, count() AS samples, uniqExactIf((date, visitor_id), visitor_id != 0) AS visitors, quantileExactWeighted(0.75)(sample, 1) AS p75, countIf(sample <= good_to) AS good, countIf(sample > poor_from) AS poor
FROM (
	-- A sample: a vital of a page view, and between what it needs improvement.
	SELECT date, visitor_id, path AS page, measured.1 AS vital, measured.2 AS sample, measured.3 AS good_to, measured.4 AS poor_from
	FROM events
	ARRAY JOIN arrayFilter(one -> one.5, [
			({p0:String}, lcp_ms, toUInt32({p1:UInt32}), toUInt32({p2:UInt32}), lcp_ms > 0),
			({p3:String}, inp_ms, toUInt32({p4:UInt32}), toUInt32({p5:UInt32}), inp_ms > 0),
			({p6:String}, toUInt32(round(greatest(cls, 0) * 10000)), toUInt32({p7:UInt32}), toUInt32({p8:UInt32}), cls >= 0)
		]) AS measured
	WHERE website_id = {p9:UInt32} AND date BETWEEN {p10:Date} AND {p11:Date} AND ((has({p12:Array(String)}, substring(toString(path), 1, {p13:UInt64}))) AND NOT (has({p14:Array(String)}, toString(device))))  AND kind = 'vital')
GROUP BY vital
HAVING samples >= {p15:UInt64}
-- p0 = "lcp"
-- p1 = 2500
-- p2 = 4000
-- p3 = "inp"
-- p4 = 200
-- p5 = 500
-- p6 = "cls"
-- p7 = 1000
-- p8 = 2500
-- p9 = 42
-- p10 = "2026-11-03"
-- p11 = "2026-11-07"
-- p12 = ["/shop"]
-- p13 = 5
-- p14 = ["mobile"]
-- p15 = 3

SELECT vital, page, count() AS samples, uniqExactIf((date, visitor_id), visitor_id != 0) AS visitors, quantileExactWeighted(0.75)(sample, 1) AS p75
FROM (
	-- A sample: a vital of a page view, and between what it needs improvement.
	SELECT date, visitor_id, path AS page, measured.1 AS vital, measured.2 AS sample, measured.3 AS good_to, measured.4 AS poor_from
	FROM events
	ARRAY JOIN arrayFilter(one -> one.5, [
			({p0:String}, lcp_ms, toUInt32({p1:UInt32}), toUInt32({p2:UInt32}), lcp_ms > 0),
			({p3:String}, inp_ms, toUInt32({p4:UInt32}), toUInt32({p5:UInt32}), inp_ms > 0),
			({p6:String}, toUInt32(round(greatest(cls, 0) * 10000)), toUInt32({p7:UInt32}), toUInt32({p8:UInt32}), cls >= 0)
		]) AS measured
	WHERE website_id = {p9:UInt32} AND date BETWEEN {p10:Date} AND {p11:Date} AND ((has({p12:Array(String)}, substring(toString(path), 1, {p13:UInt64}))) AND NOT (has({p14:Array(String)}, toString(device))))  AND kind = 'vital')
GROUP BY vital, page
HAVING samples >= {p15:UInt64}
ORDER BY vital, samples DESC, page
LIMIT {p16:UInt16} BY vital
-- p0 = "lcp"
-- p1 = 2500
-- p2 = 4000
-- p3 = "inp"
-- p4 = 200
-- p5 = 500
-- p6 = "cls"
-- p7 = 1000
-- p8 = 2500
-- p9 = 42
-- p10 = "2026-11-03"
-- p11 = "2026-11-07"
-- p12 = ["/shop"]
-- p13 = 5
-- p14 = ["mobile"]
-- p15 = 3
-- p16 = 10
