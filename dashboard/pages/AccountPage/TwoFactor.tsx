import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { session } from '../../api-client.ts';
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

type Step =
	/** `isBack`: from a step that is gone, and the focus with it. */
	| { kind: 'rest'; isBack: boolean }
	/** Asking for the password, to turn it on or off. */
	| { kind: 'prove' }
	| { kind: 'scan'; secret: string; uri: string }
	| { kind: 'keep'; codes: readonly string[] };

/** Once, when it comes: React calls a function that stays the same no second time. */
const focus = (element: HTMLElement | null) => element?.focus();

/** The second factor, from off to on and back. */
export function TwoFactor() {
	const { t } = useTranslation();
	const { two_factor: isOn } = useAccount();
	const [step, setStep] = useState<Step>({ kind: 'rest', isBack: false });
	const rest = () => setStep({ kind: 'rest', isBack: true });
	/** This browser has another session now, and the others have none. */
	const refresh = () => Promise.all([askAgain(), queries.invalidateQueries({ queryKey: browsersKey })]);
	switch (step.kind) {
		case 'rest':
			return (
				<>
					<p>{isOn ? t('account.twoFactor.on') : t('account.twoFactor.off')}</p>
					<div className={styles.actions}>
						<Button
							kind={isOn ? 'danger' : 'plain'}
							autoFocus={step.isBack}
							onClick={() => setStep({ kind: 'prove' })}
						>
							{isOn ? t('account.twoFactor.turnOff') : t('account.twoFactor.turnOn')}
						</Button>
					</div>
				</>
			);
		case 'prove':
			return isOn ? (
				<>
					<p>{t('account.twoFactor.offText')}</p>
					<ProvePassword
						submit={t('account.twoFactor.turnOff')}
						kind="danger"
						onCancel={rest}
						onProof={async (proof) => {
							await session.removeTwoFactor(proof);
							await refresh();
							rest();
						}}
					/>
				</>
			) : (
				<>
					<p>{t('account.twoFactor.provePassword')}</p>
					<ProvePassword
						submit={t('account.twoFactor.next')}
						onCancel={rest}
						onProof={async (proof) => setStep({ kind: 'scan', ...(await session.showTwoFactor(proof)) })}
					/>
				</>
			);
		case 'scan':
			return (
				<Scan
					{...step}
					onCancel={rest}
					onConfirmed={async (codes) => {
						setStep({ kind: 'keep', codes });
						await refresh();
					}}
				/>
			);
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
		onConfirmed((await session.confirmTwoFactor(code.replaceAll(/\s/g, ''))).recovery_codes),
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
