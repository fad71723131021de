import type { Brand } from '../../branding/branding.ts';
import type { ReportTexts } from './texts/texts.ts';

/** Names Tidemark below a report that has the name or the logo of an account, unless the account turned that off. */
export const poweredBy = (brand: Brand | undefined, texts: ReportTexts): string | undefined =>
	brand?.isPoweredByShown && (brand.name !== null || brand.logo) ? texts.poweredBy : undefined;

/** The end of a report as text. */
export const brandLines = (brand: Brand | undefined, texts: ReportTexts): string[] =>
	[brand?.name, poweredBy(brand, texts)].filter((line) => typeof line === 'string');
