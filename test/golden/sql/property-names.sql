-- The names of properties of the last 24 hours, since the statistics were emptied, without an import that runs.

SELECT toString(arrayJoin(mapKeys(properties))) AS property, count() AS carried
FROM events
WHERE website_id = {p0:UInt32} AND date BETWEEN {p1:Date} AND {p2:Date} AND time >= fromUnixTimestamp64Milli({p3:Int64}, 'UTC') AND import_id NOT IN {p4:Array(UInt64)}  AND kind IN ('pageview', 'custom')
GROUP BY property
HAVING carried >= {p5:UInt64}
ORDER BY carried DESC, property
LIMIT {p6:UInt64}
-- p0 = 42
-- p1 = "2026-11-14"
-- p2 = "2026-11-15"
-- p3 = 1794729600000
-- p4 = [9]
-- p5 = 1
-- p6 = 100
