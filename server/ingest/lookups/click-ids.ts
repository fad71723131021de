/**
 * Parameters that ad networks add to a link when it is clicked. Their values identify the click, and so the person, to the network; only
 * the kind is stored. `isPaid` is false when the network adds the parameter to all outgoing links.
 */
export type ClickId = { source: string; isPaid: boolean; isDisplay?: true };

/** In order of precedence, for a URL with several. */
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
