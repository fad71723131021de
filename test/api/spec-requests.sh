#!/bin/sh
# The requests of the specification, section by section, exactly as it words them: the headers it names and no others,
# forms as bodies, no Accept on writes. Needs curl, BASE_URL and API_KEY; leaves nothing behind.
set -u
: "${BASE_URL:?}" "${API_KEY:?}"

domain="spec-$$-$(date +%s).example"
failures=0
answer=$(mktemp)
trap 'rm -f "$answer"' EXIT

# request SECTION STATUS CURL-ARGUMENTS…
request() {
	section=$1 expected=$2
	shift 2
	# -H 'Accept:' takes away the Accept that curl adds by itself; a later -H gives it back.
	status=$(curl -s -o "$answer" -w '%{http_code}' -H 'Accept:' -H "Authorization: Bearer $API_KEY" "$@")
	if [ "$status" = "$expected" ]; then
		echo "ok    §$section  $status"
	else
		echo "FAIL  §$section  $status instead of $expected: $(head -c 300 "$answer")"
		failures=$((failures + 1))
	fi
}

form='Content-Type: application/x-www-form-urlencoded'
json='Accept: application/json'

request 4.3 201 -X POST "$BASE_URL/api/v1/websites" -H "$form" -d "domain=$domain"
id=$(sed -E 's/.*"id":([0-9]+).*/\1/' "$answer")
request 4.1 200 -X GET "$BASE_URL/api/v1/websites?search=$domain&search_by=domain&favorite=0&sort_by=id&sort=desc&per_page=10" -H "$json"
request 4.2 200 -X GET "$BASE_URL/api/v1/websites/$id" -H "$json"
request 4.4 200 -X PUT "$BASE_URL/api/v1/websites/$id" -H "$form" \
	-d privacy=2 -d password=ebb -d email=1 -d exclude_bots=0 -d exclude_params=ref -d exclude_ips=203.0.113.7 -d favorite=1
request 4.5 200 -X DELETE "$BASE_URL/api/v1/websites/$id"
request 4.6 200 -X GET "$BASE_URL/api/v1/account" -H "$json"

[ "$failures" -eq 0 ]
