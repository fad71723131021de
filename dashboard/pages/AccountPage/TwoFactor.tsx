import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { security } from '../../account-client.ts';
import type { Proof } from '../../api-client.ts';
import { queries } from '../../queries.ts';
import { askAgain, useAccount } from '../../session.tsx';
import { Button } from '../../ui/Button.tsx';
import { Copy } from '../../ui/Copy.tsx';
import { TextField } from '../../ui/Field.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { useForm } from '../../ui/use-form.ts';
import styles from './AccountPage.module.css';
import { browsersKey } from './Browsers.tsx';
import { ProvePassword } from './ProvePassword.tsx';
import { QrCode } from './QrCode.tsx';

/** An authenticator app; passkeys as the second factor; turning it off; new recovery codes. */
type Goal = 'app' | 'passkeys' | 'off' | 'codes';

type Step =
	/** `isBack`: from a step that is gone, and the focus with it. */
	| { kind: 'rest'; isBack: boolean }
	/** Asking for a proof. */
	| { kind: 'prove'; goal: Goal }
	| { kind: 'scan'; secret: string; uri: string }
	| { kind: 'keep'; codes: readonly string[] };

const textOf = {
	app: 'account.twoFactor.provePassword',
	passkeys: 'account.twoFactor.passkeysText',
	off: 'account.twoFactor.offText',
	codes: 'account.twoFactor.newCodesText',
} as const;

const submitOf = {
	app: 'account.twoFactor.next',
	passkeys: 'account.twoFactor.turnOn',
	off: 'account.twoFactor.turnOff',
	codes: 'account.twoFactor.newCodes',
} as const;

const fewCodes = 3;

/** Once, when it comes: React calls a function that stays the same no second time. */
const focus = (element: HTMLElement | null) => element?.focus();

/** The second factor, from off to on and back. */
export function TwoFactor() {
	const { t } = useTranslation();
	const [step, setStep] = useState<Step>({ kind: 'rest', isBack: false });
	const rest = () => setStep({ kind: 'rest', isBack: true });
	/** This browser has another session now, and the others have none. */
	const refresh = () => Promise.all([askAgain(), queries.invalidateQueries({ queryKey: browsersKey })]);
	const keep = async (codes: readonly string[]) => {
		setStep({ kind: 'keep', codes });
		await refresh();
	};
	async function proceed(goal: Goal, proof: Proof) {
		switch (goal) {
			case 'app':
				return setStep({ kind: 'scan', ...(await security.showTwoFactor(proof)) });
			case 'passkeys':
				return keep((await security.requirePasskeys(proof)).recovery_codes);
			case 'codes':
				return keep((await security.renewRecoveryCodes(proof)).recovery_codes);
			case 'off':
				await security.removeTwoFactor(proof);
				await refresh();
				return rest();
		}
	}
	switch (step.kind) {
		case 'rest':
			return <Rest isFocused={step.isBack} onGoal={(goal) => setStep({ kind: 'prove', goal })} />;
		case 'prove':
			return (
				<>
					<p>{t(textOf[step.goal])}</p>
					<ProvePassword
						submit={t(submitOf[step.goal])}
						kind={step.goal === 'off' ? 'danger' : 'primary'}
						onCancel={rest}
						onProof={(proof) => proceed(step.goal, proof)}
					/>
				</>
			);
		case 'scan':
			return <Scan {...step} onCancel={rest} onConfirmed={keep} />;
		case 'keep':
			return (
				<div className={styles.shown}>
					<h3 ref={focus} tabIndex={-1}>
						{t('account.twoFactor.keepTitle')}
					</h3>
					<p>{t('account.twoFactor.keep')}</p>
					<Copy label={t('account.twoFactor.codes')} text={step.codes.join('\n')} />
					<div className={styles.actions}>
						<Button kind="primary" onClick={rest}>
							{t('account.twoFactor.kept')}
						</Button>
					</div>
				</div>
			);
	}
}

/** Whether it is on, and what can be done about it. */
function Rest({ isFocused, onGoal }: { isFocused: boolean; onGoal(goal: Goal): void }) {
	const { t } = useTranslation();
	const { two_factor: isOn, second_factor: second, passkeys: count } = useAccount();
	const left = second.recovery_codes;
	const state = !second.app ? 'onPasskeys' : count > 0 ? 'onBoth' : 'on';
	if (!isOn)
		return (
			<>
				<p>{t('account.twoFactor.off')}</p>
				<div className={styles.actions}>
					<Button autoFocus={isFocused} onClick={() => onGoal('app')}>
						{t(count > 0 ? 'account.twoFactor.useApp' : 'account.twoFactor.turnOn')}
					</Button>
					{count > 0 && (
						<Button onClick={() => onGoal('passkeys')}>{t('account.twoFactor.usePasskeys')}</Button>
					)}
				</div>
			</>
		);
	return (
		<>
			<p>{t(`account.twoFactor.${state}`)}</p>
			{left <= fewCodes ? (
				<Notice>{t('account.twoFactor.fewLeft', { left })}</Notice>
			) : (
				<p className={styles.quiet}>{t('account.twoFactor.left', { left })}</p>
			)}
			<div className={styles.actions}>
				{!second.app && <Button onClick={() => onGoal('app')}>{t('account.twoFactor.useApp')}</Button>}
				<Button onClick={() => onGoal('codes')}>{t('account.twoFactor.newCodes')}</Button>
				<Button kind="danger" autoFocus={isFocused} onClick={() => onGoal('off')}>
					{t('account.twoFactor.turnOff')}
				</Button>
			</div>
		</>
	);
}

function Scan({
	secret,
	uri,
	onConfirmed,
	onCancel,
}: {
	secret: string;
	uri: string;
	onConfirmed(codes: readonly string[]): Promise<void>;
	onCancel(): void;
}) {
	const { t } = useTranslation();
	const form = useForm({ code: '' }, async ({ code }) =>
		onConfirmed((await security.confirmTwoFactor(code.replaceAll(/\s/g, ''))).recovery_codes),
	);
	return (
		<form className={styles.form} onSubmit={form.submit}>
			<p>{t('account.twoFactor.scan')}</p>
			<QrCode text={uri} label={t('account.twoFactor.picture')} />
			<p>{t('account.twoFactor.orType')}</p>
			<Copy label={t('account.twoFactor.orType')} text={secret} />
			<TextField
				label={t('account.twoFactor.code')}
				inputMode="numeric"
				autoComplete="one-time-code"
				required
				autoFocus
				fault={form.faultOf('code') && t('account.twoFactor.codeWrong')}
				value={form.values.code}
				onChange={(event) => form.set({ code: event.target.value })}
			/>
			{form.fault && <Notice kind="fault">{form.fault}</Notice>}
			<div className={styles.actions}>
				<Button kind="primary" type="submit" busy={form.isBusy}>
					{t('account.twoFactor.confirm')}
				</Button>
				<Button kind="quiet" onClick={onCancel}>
					{t('common.cancel')}
				</Button>
			</div>
		</form>
	);
}
