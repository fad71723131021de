import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'wouter';
import { AppLayout } from '../../layout/AppLayout.tsx';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { TextField } from '../../ui/Field.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Failure } from '../../ui/States.tsx';
import { useForm } from '../../ui/use-form.ts';
import styles from './BoardsPage.module.css';
import { boards, boardsKey } from './boards-api.ts';

/** All boards. The overview of all websites is the first. */
export function BoardsPage() {
	const { t } = useTranslation();
	const list = useQuery({ queryKey: boardsKey, queryFn: boards.list });
	return (
		<AppLayout title={t('common.boards')} crumbs={<h1 className={styles.title}>{t('common.boards')}</h1>}>
			<Card>
				<ul className={styles.list}>
					<li>
						<Link href="/websites">
							<b>{t('boards.all')}</b>
							<small>{t('boards.allText')}</small>
						</Link>
					</li>
					{list.data?.map(({ id, name, cards, of }) => (
						<li key={id}>
							<Link href={`/boards/${id}`}>
								<b>{name}</b>
								<small>
									{t('boards.cards', { count: cards })}
									{of === 'account' && ` · ${t('boards.ofAccount')}`}
								</small>
							</Link>
						</li>
					))}
					{!list.data && !list.error && (
						<li>
							<Skeleton height={40} />
						</li>
					)}
				</ul>
				{list.error && <Failure error={list.error} onTryAgain={() => void list.refetch()} />}
			</Card>
			<NewBoard />
		</AppLayout>
	);
}

function NewBoard() {
	const { t } = useTranslation();
	const cache = useQueryClient();
	const [, navigate] = useLocation();
	const form = useForm({ name: '' }, async ({ name }) => {
		const board = await boards.create({ name });
		await cache.invalidateQueries({ queryKey: boardsKey });
		navigate(`/boards/${board.id}?edit`);
	});
	return (
		<form className={styles.new} onSubmit={form.submit}>
			<TextField
				label={t('boards.new')}
				placeholder={t('boards.example')}
				maxLength={100}
				required
				value={form.values.name}
				onChange={({ target }) => form.set({ name: target.value })}
				fault={form.faultOf('name')}
			/>
			<Button kind="primary" type="submit" busy={form.isBusy}>
				{t('boards.create')}
			</Button>
			{form.fault && <Notice kind="fault">{form.fault}</Notice>}
		</form>
	);
}
