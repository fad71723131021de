import { useTranslation } from 'react-i18next';
import { Section } from '../../ui/Card.tsx';
import { StoredSwitch } from './Part.tsx';
import type { RoomProps } from './room.ts';

export function Reports({ website, canEdit, update }: RoomProps) {
	const { t } = useTranslation();
	return (
		<Section title={t('settings.email.title')}>
			<StoredSwitch
				label={t('settings.email.label')}
				hint={t('settings.email.hint')}
				isOn={website.email === 1}
				isOpen={canEdit}
				store={(isOn) => update({ email: isOn ? 1 : 0 })}
			/>
		</Section>
	);
}
