/**
 * Parameters that advertisers add to a link when it is clicked. Their values name the click, and so the person to
 * whoever sold it; only the kind is kept. `isPaid` is false where the network adds it to every link that leaves it.
 */
export type ClickId = { source: string; isPaid: boolean; isDisplay?: true };

/** In the order in which they count when an address has several. */
export const clickIds: ReadonlyMap<string, ClickId> = new Map<string, ClickId>([
	['gclid', { source: 'Google', isPaid: true }],
	['gbraid', { source: 'Google', isPaid: true }],
	['wbraid', { source: 'Google', isPaid: true }],
	['gclsrc', { source: 'Google', isPaid: true }],
	['gad_source', { source: 'Google', isPaid: true }],
	['gad_campaignid', { source: 'Google', isPaid: true }],
	['dclid', { source: 'Google', isPaid: true, isDisplay: true }],
	['msclkid', { source: 'Bing', isPaid: true }],
	['yclid', { source: 'Yandex', isPaid: true }],
	['ysclid', { source: 'Yandex', isPaid: false }],
	['ttclid', { source: 'TikTok', isPaid: true }],
	['twclid', { source: 'X', isPaid: true }],
	['li_fat_id', { source: 'LinkedIn', isPaid: true }],
	['rdt_cid', { source: 'Reddit', isPaid: true }],
	['ScCid', { source: 'Snapchat', isPaid: true }],
	['sccid', { source: 'Snapchat', isPaid: true }],
	['epik', { source: 'Pinterest', isPaid: true }],
	['qclid', { source: 'Quora', isPaid: true }],
	['vmcid', { source: 'Yahoo', isPaid: true }],
	['obclid', { source: 'Outbrain', isPaid: true, isDisplay: true }],
	['tblci', { source: 'Taboola', isPaid: true, isDisplay: true }],
	['fbclid', { source: 'Facebook', isPaid: false }],
]);
