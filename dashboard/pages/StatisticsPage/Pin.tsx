import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ViewQuery } from '../../../presentation/view-query.ts';
import { lazyPageWithTexts } from '../../lazy-page.ts';
import { visibleBreakdowns } from '../../stats/breakdowns.ts';

const PinDialog = lazyPageWithTexts(async () => (await import('../BoardsPage/PinDialog.tsx')).PinDialog);

/** Adds a view of this page to a board. */
export function Pin({
	website,
	query,
	className,
}: {
	website: number;
	query: ViewQuery;
	className: string | undefined;
}) {
	const { t } = useTranslation();
	const [isOpen, setOpen] = useState(false);
	return (
		<>
			<button type="button" className={className} data-print="no" onClick={() => setOpen(true)}>
				{t('statistics.pin')}
			</button>
			{isOpen && (
				<Suspense fallback={null}>
					<PinDialog
						website={website}
						query={query}
						dimensions={visibleBreakdowns(query).map(({ dimension }) => dimension)}
						onClose={() => setOpen(false)}
					/>
				</Suspense>
			)}
		</>
	);
}
