/** Lines of the log for people: `14:03:12 warn  worker exited; restarting  pid=4711`. */

type Line = { level: string; time: string; msg?: string; error?: unknown; [field: string]: unknown };

const colors: Record<string, number> = { debug: 90, info: 36, warn: 33, error: 31, fatal: 31 };

/** Formats one line of JSON. Control characters are escaped, so that nobody who causes a line can control the terminal. */
export function prettyLine(json: string, options: { isColored: boolean; hasStacks: boolean }): string {
	const { level, time, msg = '', error, ...fields } = JSON.parse(json) as Line;
	const paint = (text: string, color = 90) => (options.isColored ? `\x1b[${color}m${text}\x1b[0m` : text);
	const details = Object.entries(fields).map(
		([name, value]) => `${paint(`${name}=`)}${escapeControls(formatValue(value))}`,
	);
	const text = [
		paint(localTime(time)),
		paint(level.padEnd(5), colors[level]),
		escapeControls([msg, ...messagesOf(error)].join(': ')),
		...details,
	].join(' ');
	const stack = options.hasStacks ? stackOf(error) : undefined;
	return `${text}${stack === undefined ? '' : `\n${paint(stack.split('\n').map(escapeControls).join('\n'))}`}\n`;
}

const localTime = (iso: string): string => new Date(iso).toTimeString().slice(0, 8);

function formatValue(value: unknown): string {
	if (Array.isArray(value)) return value.map(formatValue).join(',');
	if (typeof value === 'string' && /^[^\s"=]+$/.test(value)) return value;
	return JSON.stringify(value);
}

/** Of an error and its causes, as `describeError` of log.ts writes them. */
function messagesOf(error: unknown): string[] {
	if (typeof error !== 'object' || error === null || !('message' in error)) return [];
	return [oneLine(String(error.message)), ...('cause' in error ? messagesOf(error.cause) : [])];
}

/** JSON leaves some of them as they are: DEL and those above 0x7f. */
const escapeControls = (text: string): string =>
	text.replace(/\p{Cc}/gu, (found) => `\\x${found.charCodeAt(0).toString(16).padStart(2, '0')}`);

const oneLine = (text: string): string => text.replace(/\s*\n\s*/g, ' ');

const stackOf = (error: unknown): string | undefined =>
	typeof error === 'object' && error !== null && 'stack' in error ? String(error.stack) : undefined;
