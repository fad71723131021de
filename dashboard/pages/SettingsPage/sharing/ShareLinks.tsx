import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { queries } from '../../../queries.ts';
import { type ShareLink, shareLinks } from '../../../share-links-client.ts';
import { useLinkText } from '../../../stats/use-link-text.ts';
import { Button } from '../../../ui/Button.tsx';
import { Section } from '../../../ui/Card.tsx';
import { CopyButton } from '../../../ui/Copy.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { Failure } from '../../../ui/States.tsx';
import { useForm } from '../../../ui/use-form.ts';
import goalStyles from '../Goals.module.css';
import type { TabProps } from '../tab.ts';
import { isExpired, LinkFacts } from './LinkFacts.tsx';
import { ShareLinkDialog } from './ShareLinkDialog.tsx';
import styles from './ShareLinks.module.css';

const linksKey = (website: number) => ['website', website, 'share-links'] as const;

/** For admins, who alone may read them. */
export const useShareLinks = (website: number, isAdmin: boolean) =>
	useQuery({
		queryKey: linksKey(website),
		queryFn: () => shareLinks.list(website),
		enabled: isAdmin,
	});

/** The share links of a website, each with its limits and uses. */
export function ShareLinks({ website, isAdmin }: TabProps) {
	const { t } = useTranslation();
	const links = useShareLinks(website.id, isAdmin);
	const [edited, setEdited] = useState<ShareLink | 'new'>();
	const [deleted, setDeleted] = useState<ShareLink>();
	const refresh = () => queries.invalidateQueries({ queryKey: linksKey(website.id) });
	return (
		<Section title={t('shareLinks.title')} text={t('shareLinks.text')}>
			{links.data ? (
				<div className={styles.links}>
					{links.data.length > 0 && (
						<ul className={goalStyles.list}>
							{links.data.map((link) => (
								<li key={link.id} className={isExpired(link) ? styles.over : undefined}>
									<div>
										<b>{link.name}</b>
										<About link={link} />
									</div>
									<div className={goalStyles.tools}>
										{link.url !== null && (
											<CopyButton
												kind="quiet"
												text={link.url}
												label={t('shareLinks.copyOne', { name: link.name })}
											>
												{t('shareLinks.copy')}
											</CopyButton>
										)}
										<Button
											kind="quiet"
											aria-label={t('settings.goals.editOne', { name: link.name })}
											onClick={() => setEdited(link)}
										>
											{t('common.edit')}
										</Button>
										<Button
											kind="quiet"
											aria-label={t('settings.goals.deleteOne', { name: link.name })}
											onClick={() => setDeleted(link)}
										>
											{t('common.delete')}
										</Button>
									</div>
								</li>
							))}
						</ul>
					)}
					{links.data.length === 0 && <p className={styles.none}>{t('shareLinks.none')}</p>}
					<div>
						<Button onClick={() => setEdited('new')}>{t('shareLinks.add')}</Button>
					</div>
				</div>
			) : links.error ? (
				<Failure error={links.error} onTryAgain={() => void links.refetch()} />
			) : (
				<Skeleton height={44} />
			)}
			{edited && (
				<ShareLinkDialog
					website={website}
					link={edited === 'new' ? undefined : edited}
					onSaved={refresh}
					onClose={() => setEdited(undefined)}
				/>
			)}
			{deleted && (
				<DeleteDialog
					website={website.id}
					link={deleted}
					onDeleted={refresh}
					onClose={() => setDeleted(undefined)}
				/>
			)}
		</Section>
	);
}

function About({ link }: { link: ShareLink }) {
	const { t } = useTranslation();
	const limits = useLinkText()(link);
	return <LinkFacts link={link} limits={limits.length > 0 ? limits : [t('shareLinks.allTraffic')]} />;
}

function DeleteDialog(props: {
	website: number;
	link: ShareLink;
	onDeleted(): Promise<unknown>;
	onClose(): void;
}) {
	const { t } = useTranslation();
	const { website, link, onDeleted, onClose } = props;
	const form = useForm({}, async () => {
		await shareLinks.delete(website, link.id);
		await onDeleted();
		onClose();
	});
	return (
		<Dialog
			isOpen
			title={t('settings.goals.deleteTitle', { name: link.name })}
			text={t('shareLinks.deleteText')}
			closeLabel={t('common.close')}
			onClose={onClose}
		>
			{form.fault && <Notice kind="fault">{form.fault}</Notice>}
			<div className={goalStyles.tools}>
				<Button kind="danger" busy={form.isBusy} onClick={() => void form.submit()}>
					{t('common.delete')}
				</Button>
				<Button kind="quiet" onClick={onClose}>
					{t('common.cancel')}
				</Button>
			</div>
		</Dialog>
	);
}
