import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { queries } from '../../queries.ts';
import { boardLinks } from '../../share-links-client.ts';
import { Button } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/Copy.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { TextField } from '../../ui/Field.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { useForm } from '../../ui/use-form.ts';
import goalStyles from '../SettingsPage/Goals.module.css';
import { LinkFacts } from '../SettingsPage/sharing/LinkFacts.tsx';
import { endOfDay } from '../SettingsPage/sharing/link-days.ts';
import linkStyles from '../SettingsPage/sharing/ShareLinks.module.css';

const keyOf = (board: number) => ['board-links', board] as const;

/** The share links of a board: list, create, copy, delete. */
export function BoardShareDialog({ board, onClose }: { board: number; onClose(): void }) {
	const { t } = useTranslation();
	const { data: links = [] } = useQuery({ queryKey: keyOf(board), queryFn: () => boardLinks.list(board) });
	const refresh = () => queries.invalidateQueries({ queryKey: keyOf(board) });
	const [deleted, setDeleted] = useState<number>();
	const removal = useForm({}, async () => {
		if (deleted !== undefined) await boardLinks.delete(board, deleted);
		setDeleted(undefined);
		await refresh();
	});
	const form = useForm({ name: '', password: '', expires_at: '' }, async (values) => {
		await boardLinks.create(board, {
			name: values.name,
			...(values.password !== '' && { password: values.password }),
			...(values.expires_at !== '' && { expires_at: endOfDay(values.expires_at) }),
		});
		form.set({ name: '', password: '', expires_at: '' });
		await refresh();
	});
	return (
		<Dialog
			isOpen
			title={t('shareLinks.title')}
			text={t('shareLinks.boardText')}
			closeLabel={t('common.close')}
			onClose={onClose}
		>
			{links.length > 0 && (
				<ul className={goalStyles.list}>
					{links.map((link) => (
						<li key={link.id}>
							<div>
								<b>{link.name}</b>
								<LinkFacts link={link} limits={[]} />
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
								{deleted === link.id ? (
									<Button kind="danger" busy={removal.isBusy} onClick={() => void removal.submit()}>
										{t('settings.goals.deleteTitle', { name: link.name })}
									</Button>
								) : (
									<Button
										kind="quiet"
										aria-label={t('settings.goals.deleteOne', { name: link.name })}
										onClick={() => setDeleted(link.id)}
									>
										{t('common.delete')}
									</Button>
								)}
							</div>
						</li>
					))}
				</ul>
			)}
			{removal.fault && <Notice kind="fault">{removal.fault}</Notice>}
			<form className={linkStyles.form} onSubmit={(event) => void form.submit(event)}>
				<TextField
					label={t('settings.goals.name')}
					value={form.values.name}
					fault={form.faultOf('name')}
					maxLength={100}
					required
					onChange={({ target }) => form.set({ name: target.value })}
				/>
				<TextField
					label={t('shareLinks.password')}
					hint={t('settings.privacy.passwordHint')}
					autoComplete="off"
					spellCheck={false}
					maxLength={128}
					value={form.values.password}
					fault={form.faultOf('password')}
					onChange={({ target }) => form.set({ password: target.value })}
				/>
				<TextField
					label={t('shareLinks.lastDay')}
					type="date"
					value={form.values.expires_at}
					fault={form.faultOf('expires_at')}
					onChange={({ target }) => form.set({ expires_at: target.value })}
				/>
				{form.fault && <Notice kind="fault">{form.fault}</Notice>}
				<div className={goalStyles.tools}>
					<Button kind="primary" type="submit" busy={form.isBusy}>
						{t('shareLinks.create')}
					</Button>
				</div>
			</form>
		</Dialog>
	);
}
