import { describeGeoFiles, findGeoFiles, findOperatorFiles, type GeoSettings } from '../geo/files.ts';
import { dayMs } from '../lib/durations.ts';
import type { Queries } from '../store/postgres.ts';
import { sql } from '../store/sql.ts';
import { type CheckResult, notice, ok, problem, reasonOf } from './finding.ts';

/** Networks move to other places within months. */
const oldAfterDays = 180;

export async function examineGeolocation(settings: GeoSettings, now: Date): Promise<CheckResult[]> {
	try {
		const files = await findGeoFiles(settings);
		const { builtAt, hasCities, isOfDbIp } = await describeGeoFiles(files);
		const { days, age } = ageOf(builtAt, now);
		if (files.from === 'package')
			return [ok(`Countries come from the bundled database ${age}. There are no regions and cities.`)];
		const name = isOfDbIp ? 'the DB-IP database' : `the database ${files.paths.join(' and ')}`;
		const what = `${hasCities ? 'Countries, regions and cities' : 'Countries'} come from ${name} ${age}.`;
		if (days <= oldAfterDays) return [ok(what)];
		return [
			notice(
				what,
				files.from === 'setting'
					? 'Replace the file that TIDEMARK_GEO_FILE names with a newer one, and restart Tidemark.'
					: 'Run `tidemark geo update`, or `tidemark geo install` with newer files.',
			),
		];
	} catch (error) {
		const reason = reasonOf(error);
		if (settings.geoFile !== undefined)
			return [problem(`${reason} Tidemark cannot start with it.`, 'Correct or unset TIDEMARK_GEO_FILE.')];
		return [
			problem(
				`${reason} Countries come from the bundled database instead.`,
				'Run `tidemark geo update`, or `tidemark geo remove` to use only countries.',
			),
		];
	}
}

/** Only traffic rules need this database. */
export async function examineOperators(
	{ dataFolder }: Pick<GeoSettings, 'dataFolder'>,
	postgres: Queries,
	now: Date,
): Promise<CheckResult[]> {
	const [row] = await postgres.rows<{ rules: number }>(
		sql`SELECT count(*) AS rules FROM traffic_rules WHERE kind = 'operator' AND enabled`,
	);
	const rules = row?.rules ?? 0;
	const files = await findOperatorFiles(dataFolder);
	if (!files) {
		if (rules === 0) return [];
		const these =
			rules === 1
				? '1 traffic rule by network operator matches'
				: `${rules} traffic rules by network operator match`;
		return [
			notice(
				`${these} nothing, because the database of network operators is not installed.`,
				'Run `tidemark geo update --operators`, or disable these rules.',
			),
		];
	}
	const advice =
		'Run `tidemark geo update --operators`, or `tidemark geo install --operators` with newer files.';
	try {
		const { days, age } = ageOf((await describeGeoFiles(files)).builtAt, now);
		const what = `Network operators come from a database ${age}.`;
		return [days <= oldAfterDays ? ok(what) : notice(what, advice)];
	} catch (error) {
		return [problem(`${reasonOf(error)} Traffic rules by network operator match nothing.`, advice)];
	}
}

function ageOf(builtAt: Date, now: Date): { days: number; age: string } {
	const days = Math.max(0, Math.floor((now.getTime() - builtAt.getTime()) / dayMs));
	return {
		days,
		age: `of ${builtAt.toISOString().slice(0, 10)}, ${days} ${days === 1 ? 'day' : 'days'} old`,
	};
}
