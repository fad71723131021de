import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { WebsiteRecord } from '../../../api-client.ts';
import { queries } from '../../../queries.ts';
import { Button } from '../../../ui/Button.tsx';
import { Section } from '../../../ui/Card.tsx';
import { Failure } from '../../../ui/States.tsx';
import sectionStyles from '../SettingsPage.module.css';
import { DeletionList } from './DeletionList.tsx';
import { useDeletions } from './deletions-query.ts';
import { FilterDialog } from './FilterDialog.tsx';

/** Deletes events by filter, and lists all deletions. */
export function DeleteByFilter({ website }: { website: WebsiteRecord }) {
	const { t } = useTranslation();
	const { data, error, refetch } = useDeletions(website.id);
	const [isOpen, setOpen] = useState(false);
	const [isDone, setDone] = useState(false);
	return (
		<Section
			title={t('deletions.filter.title')}
			text={
				<>
					{t('deletions.filter.text')}{' '}
					<Link className={sectionStyles.link} href={`/websites/${website.id}/settings/exclusions`}>
						{t('deletions.exclude')}
					</Link>
				</>
			}
		>
			<div className={sectionStyles.done}>
				<Button
					kind="danger"
					onClick={() => {
						setDone(false);
						setOpen(true);
					}}
				>
					{t('deletions.filter.title')}
				</Button>
				<span className={sectionStyles.saved} role="status">
					{isDone && data?.[0]?.state !== 'undone' && t('deletions.filter.done')}
				</span>
			</div>
			{error && !data && <Failure error={error} onTryAgain={() => void refetch()} />}
			{data && data.length > 0 && <DeletionList website={website.id} list={data} />}
			{isOpen && (
				<FilterDialog
					website={website}
					onDeleted={async () => {
						await queries.invalidateQueries();
						setDone(true);
					}}
					onClose={() => setOpen(false)}
				/>
			)}
		</Section>
	);
}
