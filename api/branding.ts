import { z } from 'zod';
import { oneOf } from './envelopes.ts';
import { readSwitch, sentSwitch, shortText, text } from './fields.ts';

/** An empty text takes the field away, as null does. */
const cleared = (input: unknown): unknown =>
	typeof input === 'string' && input.trim() === '' ? null : input;

const name = z.preprocess(cleared, shortText('name', 60).nullable()).meta({
	description:
		'Shown instead of the name of the service, in up to 60 characters. Empty: the name of the service.',
});

const accent = z
	.preprocess(
		cleared,
		text('accent')
			.trim()
			.toLowerCase()
			.refine((value) => /^#[0-9a-f]{6}$/.test(value), 'The accent field must be a color such as #0a7f78.')
			.nullable(),
	)
	.meta({
		description:
			'The color of buttons, links and charts, as `#rrggbb`. Pages and emails use shades of it that text can be read on. Empty: the color of the service.',
		pattern: '^#[0-9A-Fa-f]{6}$',
	});

export const changeBrandingBody = z.object({
	name: name.optional(),
	accent: accent.optional(),
	powered_by: z
		.preprocess(
			(input) => (readSwitch(input) === 1 ? true : readSwitch(input) === 0 ? false : input),
			z.boolean('The powered_by field must be true or false.'),
		)
		.meta({ ...sentSwitch, description: 'Whether pages and emails name Tidemark.' })
		.optional(),
});

const shade = z.string().regex(/^#[0-9a-f]{6}$/);
const shades = z
	.object({ sea: shade, 'sea-ink': shade, 'sea-wash': shade, 'sea-wash-2': shade, 'on-sea': shade })
	.meta({ description: 'By the names of the color tokens of the dashboard.' });

const logo = z
	.object({
		url: z
			.string()
			.meta({ description: 'The path of the image, below the public address. It changes with the image.' }),
		type: z.enum(['image/png', 'image/jpeg']),
		width: z.int().positive(),
		height: z.int().positive(),
	})
	.nullable();

export const brandingRecord = z
	.object({
		name: z.string().nullable(),
		accent: shade.nullable(),
		powered_by: z.boolean(),
		logo: logo.meta({ description: 'The logo, for light backgrounds.' }),
		dark_logo: logo.meta({ description: 'The logo for dark backgrounds. Null: `logo` is used.' }),
		colors: z
			.object({ light: shades, dark: shades })
			.nullable()
			.meta({ description: 'The shades that are derived from the accent color.' }),
	})
	.meta({ id: 'Branding' });
export type Branding = z.infer<typeof brandingRecord>;

export const logoQuery = z.object({
	background: oneOf('background', ['light', 'dark'], 'light').meta({
		description: 'The background that the logo is for.',
	}),
});
