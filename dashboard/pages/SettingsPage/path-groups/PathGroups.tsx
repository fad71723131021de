import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormSection } from '../../../layout/settings/FormSection.tsx';
import { queries } from '../../../queries.ts';
import { type PathRule, pathGroups, type PathGroups as Stored } from '../../../rules-client.ts';
import { Button } from '../../../ui/Button.tsx';
import { Section } from '../../../ui/Card.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { Failure } from '../../../ui/States.tsx';
import { useFaultText } from '../../../ui/use-fault-text.ts';
import { useForm } from '../../../ui/use-form.ts';
import settingsStyles from '../SettingsPage.module.css';
import type { TabProps } from '../tab.ts';
import styles from './PathGroups.module.css';
import { Proposals } from './Proposals.tsx';
import { RuleList } from './RuleList.tsx';

const keyOf = (website: number) => ['website', website, 'path-groups'] as const;

/** Rules change every answer that has groups. */
async function keep(website: number, stored: Stored): Promise<void> {
	queries.setQueryData(keyOf(website), stored);
	await Promise.all([
		queries.invalidateQueries({ queryKey: [...keyOf(website), 'proposals'] }),
		queries.invalidateQueries({ queryKey: ['stats', website] }),
	]);
}

export function PathGroups({ website, canEdit }: TabProps) {
	const { data, error, refetch } = useQuery({
		queryKey: keyOf(website.id),
		queryFn: () => pathGroups.get(website.id),
	});
	if (!data) return error ? <Failure error={error} onTryAgain={() => void refetch()} /> : <Waiting />;
	return <Editor website={website.id} canEdit={canEdit} stored={data} />;
}

function Editor({ website, canEdit, stored }: { website: number; canEdit: boolean; stored: Stored }) {
	const { t } = useTranslation();
	const form = useForm<{ rules: PathRule[] }>({ rules: stored.rules }, async ({ rules }) =>
		keep(website, await pathGroups.save(website, rules)),
	);
	const { rules } = form.values;
	const set = (changed: PathRule[]) => form.set({ rules: changed });
	return (
		<>
			<FormSection
				title={t('pathGroups.rules.title')}
				text={t('pathGroups.rules.text')}
				form={form}
				isOpen={canEdit}
			>
				<RuleList {...{ website, rules, set, canEdit }} fault={form.faultOf('rules')} />
			</FormSection>
			{canEdit && stored.can_undo && <Undo website={website} isOpen={!form.isChanged} />}
			{canEdit && (
				<Proposals
					listKey={[...keyOf(website), 'proposals']}
					website={website}
					rules={rules}
					onUse={(rule) => set([...rules, rule])}
				/>
			)}
		</>
	);
}

/** Not while there are changes that would be lost. */
function Undo({ website, isOpen }: { website: number; isOpen: boolean }) {
	const { t } = useTranslation();
	const textOf = useFaultText();
	const [message, setMessage] = useState('');
	const [isBusy, setBusy] = useState(false);
	const undo = async () => {
		setBusy(true);
		try {
			await keep(website, await pathGroups.undo(website));
			setMessage(t('pathGroups.undo.done'));
		} catch (error) {
			setMessage(textOf(error));
		} finally {
			setBusy(false);
		}
	};
	return (
		<Section title={t('pathGroups.undo.title')} text={t('pathGroups.undo.text')}>
			<div className={settingsStyles.done}>
				<Button disabled={!isOpen} busy={isBusy} onClick={() => void undo()}>
					{t('pathGroups.undo.button')}
				</Button>
				<span className={settingsStyles.text} role="status">
					{message}
				</span>
			</div>
		</Section>
	);
}

function Waiting() {
	return (
		<div className={styles.waiting}>
			{[1, 2, 3].map((line) => (
				<Skeleton key={line} height={44} />
			))}
		</div>
	);
}
