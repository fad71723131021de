import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ArrowDown, ArrowUp, Plus, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatCount } from '../../../../presentation/format.ts';
import { type PathRule, pathGroups } from '../../../rules-client.ts';
import { Button } from '../../../ui/Button.tsx';
import fieldStyles from '../../../ui/Field.module.css';
import { Examples } from './Examples.tsx';
import styles from './PathGroups.module.css';

/** After the last key. */
const previewAfterMs = 400;

/** The rules in their order, each with what it groups. */
export function RuleList({
	website,
	rules,
	set,
	canEdit,
	fault,
}: {
	website: number;
	rules: readonly PathRule[];
	set(rules: PathRule[]): void;
	canEdit: boolean;
	/** Of the server, which names the rule. */
	fault: string | undefined;
}) {
	const { t, i18n } = useTranslation();
	const preview = usePreview(website, rules);
	const faulty = Number(/^Rule (\d+)/.exec(fault ?? '')?.[1]) - 1;
	const count = (value: number) => formatCount(value, i18n.language);
	const change = (index: number, changed: Partial<PathRule>) =>
		set(rules.map((rule, position) => (position === index ? { ...rule, ...changed } : rule)));
	const move = (index: number, by: -1 | 1) => {
		const [before = 0, after = 0] = [index, index + by].toSorted((a, b) => a - b);
		set(
			rules.map(
				(rule, position) =>
					(position === before ? rules[after] : position === after ? rules[before] : rule) ?? rule,
			),
		);
	};
	return (
		<div className={styles.rules}>
			<p className={fieldStyles.hint}>{t('pathGroups.rules.hint')}</p>
			{rules.length === 0 && <p>{t('pathGroups.rules.none')}</p>}
			<ol className={styles.list}>
				{rules.map((rule, index) => {
					const nth = { rule: index + 1 };
					// Of the same rule: the preview may be of an earlier list.
					const its = preview?.data.rules.find(
						({ pattern, target }) => pattern === rule.pattern.trim() && target === rule.target.trim(),
					);
					const field = (name: keyof PathRule, label: string, placeholder: string) => (
						<input
							className={fieldStyles.input}
							aria-label={label}
							aria-invalid={index === faulty ? true : undefined}
							value={rule[name]}
							placeholder={placeholder}
							maxLength={300}
							autoCapitalize="none"
							spellCheck={false}
							required
							onChange={(event) => change(index, { [name]: event.target.value })}
						/>
					);
					return (
						// biome-ignore lint/suspicious/noArrayIndexKey: a rule is its position
						<li key={index}>
							<div className={styles.rule}>
								{field('pattern', t('pathGroups.rules.patternOf', nth), '/product/*')}
								<span aria-hidden="true">→</span>
								{field('target', t('pathGroups.rules.targetOf', nth), '/product/:id')}
								{canEdit && (
									<span className={styles.tools}>
										<Button
											kind="quiet"
											aria-label={t('pathGroups.rules.up', nth)}
											disabled={index === 0}
											onClick={() => move(index, -1)}
										>
											<ArrowUp size={15} />
										</Button>
										<Button
											kind="quiet"
											aria-label={t('pathGroups.rules.down', nth)}
											disabled={index === rules.length - 1}
											onClick={() => move(index, 1)}
										>
											<ArrowDown size={15} />
										</Button>
										<Button
											kind="quiet"
											aria-label={t('pathGroups.rules.remove', nth)}
											onClick={() => set(rules.filter((_, position) => position !== index))}
										>
											<X size={15} />
										</Button>
									</span>
								)}
							</div>
							{index === faulty ? (
								<p className={fieldStyles.fault} role="alert">
									{t('pathGroups.rules.bad')}
								</p>
							) : (
								its && <Examples matched={its} />
							)}
						</li>
					);
				})}
			</ol>
			{canEdit && (
				<div>
					<Button onClick={() => set([...rules, { pattern: '', target: '' }])}>
						<Plus size={15} /> {t('pathGroups.rules.add')}
					</Button>
				</div>
			)}
			{preview && (
				<div className={styles.preview} aria-live="polite">
					<b>{t('pathGroups.rules.unmatched')}</b>
					<Examples matched={preview.data.unmatched} />
					<p className={fieldStyles.hint}>
						{preview.data.compared < preview.data.paths
							? t('pathGroups.rules.partial', {
									compared: count(preview.data.compared),
									paths: count(preview.data.paths),
								})
							: t('pathGroups.rules.period')}
					</p>
				</div>
			)}
		</div>
	);
}

/** What complete rules group, a moment after the last change. */
function usePreview(website: number, rules: readonly PathRule[]) {
	const [settledRules, setSettledRules] = useState(rules);
	useEffect(() => {
		const timer = setTimeout(() => setSettledRules(rules), previewAfterMs);
		return () => clearTimeout(timer);
	}, [rules]);
	const complete = settledRules.filter(
		({ pattern, target }) => pattern.trim() !== '' && target.trim() !== '',
	);
	const { data, isError } = useQuery({
		queryKey: ['website', website, 'path-groups', 'preview', complete],
		queryFn: ({ signal }) => pathGroups.preview(website, complete, signal),
		placeholderData: keepPreviousData,
		retry: false,
	});
	return isError ? undefined : data;
}
