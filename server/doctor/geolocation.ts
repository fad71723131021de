import { describeGeoFiles, findGeoFiles, type GeoSettings } from '../geo/files.ts';
import { dayMs } from '../lib/durations.ts';
import { type CheckResult, notice, ok, problem, reasonOf } from './finding.ts';

/** Networks move to other places within months. */
const oldAfterDays = 180;

export async function examineGeolocation(settings: GeoSettings, now: Date): Promise<CheckResult[]> {
	try {
		const files = await findGeoFiles(settings);
		const { builtAt, hasCities, isOfDbIp } = await describeGeoFiles(files);
		const days = Math.max(0, Math.floor((now.getTime() - builtAt.getTime()) / dayMs));
		const age = `of ${builtAt.toISOString().slice(0, 10)}, ${days} ${days === 1 ? 'day' : 'days'} old`;
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
		return [
			problem(
				`${reasonOf(error)} Countries come from the bundled database instead.`,
				'Run `tidemark geo update`, or `tidemark geo remove` to use only countries.',
			),
		];
	}
}
