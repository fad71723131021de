import { ChevronDown } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyPageWithTexts } from '../../../lazy-page.ts';
import type { PanelProps } from '../../../stats/panel.ts';
import { Menu } from '../../../ui/Menu.tsx';
import picker from '../Picker.module.css';

const Segments = lazyPageWithTexts(async () => (await import('./Segments.tsx')).Segments);
const SegmentDialog = lazyPageWithTexts(async () => (await import('./SegmentDialog.tsx')).SegmentDialog);

type Props = Pick<PanelProps, 'website' | 'query' | 'updateQuery'>;

/** Menu of saved segments. */
export function SegmentsMenu(props: Props) {
	const { t } = useTranslation();
	const [isSaving, setSaving] = useState(false);
	return (
		<>
			<Menu
				className={picker.menu}
				button={
					<>
						{t('statistics.segments.title')}
						<ChevronDown />
					</>
				}
			>
				<Suspense fallback={null}>
					<Segments {...props} onSave={() => setSaving(true)} />
				</Suspense>
			</Menu>
			{isSaving && (
				<Suspense fallback={null}>
					<SegmentDialog {...props} onClose={() => setSaving(false)} />
				</Suspense>
			)}
		</>
	);
}
