/** The license of DB-IP's database requires this link, in these words, on pages that show its places. The server marks the page. */
export function Attribution() {
	if (!isRequired) return null;
	return (
		<a href="https://db-ip.com" rel="noreferrer" target="_blank">
			IP Geolocation by DB-IP
		</a>
	);
}

const isRequired = document.querySelector('meta[name="places"]') !== null;
