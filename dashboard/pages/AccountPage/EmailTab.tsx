import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { NoMail } from '../../account/NoMail.tsx';
import { FormSection } from '../../layout/settings/FormSection.tsx';
import { queries } from '../../queries.ts';
import { Section } from '../../ui/Card.tsx';
import { SelectField, Switch } from '../../ui/Field.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Failure } from '../../ui/States.tsx';
import { useForm } from '../../ui/use-form.ts';
import { type ReportSettings, reports } from '../../website-client.ts';
import { Recipients } from './Recipients.tsx';

const settingsKey = ['report-settings'] as const;
const schedules = ['none', 'week', 'month', 'both'] as const;

/** When reports come, and to whom besides. */
export function EmailTab() {
	return (
		<>
			<Schedule />
			<Recipients />
		</>
	);
}

/** Which websites the reports are of is a switch of each website. */
function Schedule() {
	const { t } = useTranslation();
	const query = useQuery({ queryKey: settingsKey, queryFn: reports.settings });
	if (query.data) return <ScheduleForm settings={query.data} />;
	return (
		<Section title={t('reports.settings.title')} text={t('reports.settings.text')}>
			{query.error ? (
				<Failure error={query.error} onTryAgain={() => void query.refetch()} />
			) : (
				<Skeleton height={120} />
			)}
		</Section>
	);
}

function ScheduleForm({ settings }: { settings: ReportSettings }) {
	const { t } = useTranslation();
	const { schedule, digest } = settings;
	const form = useForm({ schedule, digest }, async (values) =>
		queries.setQueryData(settingsKey, await reports.changeSettings(values)),
	);
	return (
		<FormSection title={t('reports.settings.title')} text={t('reports.settings.text')} form={form}>
			<NoMail about="reports" />
			<SelectField
				label={t('reports.settings.schedule')}
				fault={form.faultOf('schedule')}
				value={form.values.schedule}
				onChange={({ target }) =>
					form.set({ schedule: schedules.find((schedule) => schedule === target.value) ?? 'none' })
				}
				options={schedules.map((schedule) => ({
					value: schedule,
					label: t(`reports.settings.schedules.${schedule}`),
				}))}
			/>
			<Switch
				label={t('reports.settings.digest')}
				hint={t('reports.settings.digestHint')}
				checked={form.values.digest}
				disabled={form.values.schedule === 'none'}
				onChange={(isOn) => form.set({ digest: isOn })}
			/>
		</FormSection>
	);
}
