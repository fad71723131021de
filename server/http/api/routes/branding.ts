import { type Branding, brandingRecord, changeBrandingBody, logoQuery } from '../../../../api/branding.ts';
import { singleRecord } from '../../../../api/envelopes.ts';
import { accountOf } from '../../../accounts/authorize.ts';
import { holdOwnership } from '../../../accounts/owners.ts';
import {
	changeBrand,
	deleteLogo,
	findBrand,
	noBrand,
	setLogo,
	toBranding,
} from '../../../branding/branding.ts';
import { maxLogoBytes, maxLogoHeight, maxLogoWidth, readLogo } from '../../../branding/logo-image.ts';
import { AppError, invalid } from '../../../lib/app-error.ts';
import type { Queries } from '../../../store/postgres.ts';
import { knownFields, readFields } from '../../request/read-body.ts';
import { readParameters } from '../../request/read-parameters.ts';
import { validate } from '../../request/validate.ts';
import { type AccountRoute, type ApiRequest, json, type Services } from '../route.ts';

const fields = knownFields(changeBrandingBody);

async function answer(queries: Queries, accountId: number) {
	const record: Branding = toBranding((await findBrand(queries, accountId)) ?? noBrand);
	return json(200, { data: record });
}

const get: AccountRoute['handle'] = ({ principal }, { postgres }) => answer(postgres, accountOf(principal));

async function change(
	{ principal }: ApiRequest,
	{ postgres }: Services,
	work: (tx: Queries, accountId: number) => Promise<void>,
) {
	const accountId = accountOf(principal);
	return postgres.transaction(async (tx) => {
		await holdOwnership(tx, principal);
		await work(tx, accountId);
		return answer(tx, accountId);
	});
}

const update: AccountRoute['handle'] = (call, services) => {
	const {
		name,
		accent,
		powered_by: isPoweredByShown,
	} = validate(changeBrandingBody, readFields(call.body, fields));
	return change(call, services, (tx, accountId) =>
		changeBrand(tx, services.now, accountId, { name, accent, isPoweredByShown }),
	);
};

const uploadLogo: AccountRoute['handle'] = async (call, services) => {
	const { background } = readParameters(call.query, logoQuery);
	const image = readLogo(await receive(call));
	if ('refusal' in image) throw invalid({ logo: [image.refusal] });
	return change(call, services, (tx, accountId) =>
		setLogo(tx, services.now, { accountId, background }, image),
	);
};

/** The body as far as a logo can be long. */
async function receive({ upload }: ApiRequest): Promise<Buffer> {
	const pieces: Buffer[] = [];
	let size = 0;
	for await (const piece of upload ?? []) {
		size += piece.length;
		if (size > maxLogoBytes)
			throw new AppError('body_too_large', `A logo must not have more than ${maxLogoBytes / 1024} KB.`);
		pieces.push(piece);
	}
	return Buffer.concat(pieces);
}

const removeLogo: AccountRoute['handle'] = (call, services) => {
	const { background } = readParameters(call.query, logoQuery);
	return change(call, services, (tx, accountId) => deleteLogo(tx, { accountId, background }));
};

const response = {
	status: 200,
	schema: singleRecord(brandingRecord),
	description: 'The branding of the account.',
};

export const brandingRoutes: readonly AccountRoute[] = [
	{
		methods: ['GET'],
		path: '/account/branding',
		action: 'branding.read',
		operationId: 'getBranding',
		summary: 'Get the branding',
		description:
			"Returns the name, color and logos that the account's pages and emails have instead of Tidemark's.",
		response,
		errors: [],
		handle: get,
	},
	{
		methods: ['PUT', 'PATCH'],
		path: '/account/branding',
		action: 'branding.change',
		operationId: 'updateBranding',
		summary: 'Update the branding',
		description: 'Changes the fields that you send. An empty field is removed.',
		body: changeBrandingBody,
		response,
		errors: ['bad_request', 'body_too_large', 'unsupported_media_type', 'validation_failed'],
		handle: update,
	},
	{
		methods: ['PUT'],
		path: '/account/branding/logo',
		action: 'branding.change',
		operationId: 'uploadLogo',
		summary: 'Upload a logo',
		description: `The request body is a PNG or JPEG image of up to ${maxLogoBytes / 1024} KB and ${maxLogoWidth} × ${maxLogoHeight} pixels. It is stored without its metadata.`,
		query: logoQuery,
		isUpload: true,
		response,
		errors: ['body_too_large', 'validation_failed'],
		handle: uploadLogo,
	},
	{
		methods: ['DELETE'],
		path: '/account/branding/logo',
		action: 'branding.change',
		operationId: 'deleteLogo',
		summary: 'Delete a logo',
		description: 'Deletes the logo for a background.',
		query: logoQuery,
		response,
		errors: ['validation_failed'],
		handle: removeLogo,
	},
];
