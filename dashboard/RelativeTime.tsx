import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatExact, formatRelative } from '../presentation/format.ts';

const tickMs = 30_000;

/** `5 min ago`, kept current. The exact time and its zone appear on hover. */
export function RelativeTime({ iso }: { iso: string }) {
	const { i18n } = useTranslation();
	const [now, setNow] = useState(() => new Date());
	useEffect(() => {
		const timer = setInterval(() => setNow(new Date()), tickMs);
		return () => clearInterval(timer);
	}, []);
	return (
		<time dateTime={iso} title={formatExact(iso, i18n.language)}>
			{formatRelative(iso, now, i18n.language)}
		</time>
	);
}
