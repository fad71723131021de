import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAccount } from '../../../session.tsx';
import { Section } from '../../../ui/Card.tsx';
import { Copy } from '../../../ui/Copy.tsx';
import { Choices, SelectField } from '../../../ui/Field.tsx';
import { type PictureTheme, ThemeField } from './Embedding.tsx';
import styles from './Sharing.module.css';

const looks = ['badge', 'counter'] as const;
const periods = ['30d', '7d', 'today', 'all'] as const;
type Picked = { look: (typeof looks)[number]; period: (typeof periods)[number]; theme: PictureTheme };
const initial: Picked = { look: 'badge', period: '30d', theme: 'light' };

/** Chooses a badge, shows it, and gives out its code. */
export function BadgePicker({ id }: { id: number }) {
	const { t } = useTranslation();
	const { url } = useAccount().public_address;
	const [picked, setPicked] = useState(initial);
	const set = (changed: Partial<Picked>) => setPicked((before) => ({ ...before, ...changed }));
	const search = new URLSearchParams(
		Object.entries(picked).filter(([name, value]) => value !== initial[name as keyof Picked]),
	).toString();
	const path = `/app/api/websites/${id}/badge.svg${search && `?${search}`}`;
	const code = `${url}${path.replaceAll('&', '&amp;')}`;
	const period = t(`statistics.periods.${picked.period}`);
	return (
		<Section title={t('settings.embed.badge')} text={t('settings.embed.badgeText')}>
			<div className={styles.options}>
				<Choices
					label={t('settings.embed.badgeLook')}
					value={picked.look}
					options={looks.map((look) => ({ value: look, label: t(`settings.embed.looks.${look}`) }))}
					onChange={(look) => set({ look })}
				/>
				<SelectField
					label={t('statistics.periods.title')}
					value={picked.period}
					options={periods.map((value) => ({ value, label: t(`statistics.periods.${value}`) }))}
					onChange={({ target }) => set({ period: periods.find((value) => value === target.value) ?? '30d' })}
				/>
				<ThemeField value={picked.theme} onChange={(theme) => set({ theme })} />
			</div>
			<p className={styles.stage} data-theme={picked.theme}>
				<img src={path} alt={t('settings.embed.badge')} height={picked.look === 'badge' ? 28 : 68} />
			</p>
			<Copy
				label={t('settings.embed.badgeCode')}
				text={`<a href="${url}/websites/${id}"><img src="${code}" alt="${t('panels.visitors')}: ${period}"></a>`}
			/>
		</Section>
	);
}
