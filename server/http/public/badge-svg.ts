import type { z } from 'zod';
import type { badgeQuery } from '../../../api/badge.ts';
import { minVisitorsShown } from '../../stats/answer/public-thresholds.ts';

/** The colors of dashboard/styles/tokens.css, because an image has no access to a style sheet. */
const colors = {
	light: { surface: '#ffffff', line: '#e2e9e7', ink: '#0f1f1e', ink2: '#50625f', sea: '#0a7f78' },
	dark: { surface: '#101a1a', line: '#1f2c2b', ink: '#e8f0ee', ink2: '#a3b5b1', sea: '#3fbfb2' },
} as const;

const labels = { today: 'today', '7d': 'in 7 days', '30d': 'in 30 days', all: 'in all' } as const;

const font = 'font-family="Inter, ui-sans-serif, system-ui, Verdana, sans-serif"';
const logo =
	'<path d="M2 8c3 0 3 2.4 5 2.4S10 8 12 8s3 2.4 5 2.4S20 8 22 8"/><path d="M2 15h20" opacity=".35"/>';

/** Built from constants and one number, so there is nothing to escape. */
export function drawBadge({
	count,
	period,
	theme,
	look,
}: z.output<typeof badgeQuery> & { count: number }): string {
	const { surface, line, ink, ink2, sea } = colors[theme];
	const number =
		count < minVisitorsShown ? `under ${minVisitorsShown}` : new Intl.NumberFormat('en').format(count);
	const label = `visitors ${labels[period]}`;
	const drawLogo = (x: number, y: number, size: number) =>
		`<svg x="${x}" y="${y}" width="${size}" height="${size}" viewBox="0 0 24 24" fill="none" stroke="${sea}" stroke-width="2" stroke-linecap="round">${logo}</svg>`;
	const frame = (width: number, height: number, content: string) =>
		`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${number} ${label}"><title>${number} ${label}</title><rect x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="7.5" fill="${surface}" stroke="${line}"/>${content}</svg>`;
	if (look === 'counter') {
		const width = Math.max(120, Math.round(number.length * 15.5) + 32, Math.round(label.length * 6.2) + 52);
		return frame(
			width,
			68,
			`<text x="16" y="34" ${font} font-size="26" font-weight="620" fill="${ink}">${number}</text>${drawLogo(16, 45, 14)}<text x="36" y="56" ${font} font-size="12" fill="${ink2}">${label}</text>`,
		);
	}
	// The width of text is unknown without the font, so the SVG sets it.
	const numberWidth = Math.round(number.length * 7.2);
	const labelWidth = Math.round(label.length * 6);
	return frame(
		numberWidth + labelWidth + 49,
		28,
		`${drawLogo(9, 6, 16)}<text x="32" y="18.5" ${font} font-size="12.5" font-weight="620" fill="${ink}" textLength="${numberWidth}">${number}</text><text x="${numberWidth + 38}" y="18.5" ${font} font-size="12" fill="${ink2}" textLength="${labelWidth}">${label}</text>`,
	);
}
