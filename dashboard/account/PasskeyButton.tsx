import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError, type Passkey } from '../api-client.ts';
import { PasskeyError, signWithPasskey } from '../passkeys.ts';
import { Button, type ButtonKind } from '../ui/Button.tsx';
import { Notice } from '../ui/Notice.tsx';
import { useFaultText } from '../ui/use-fault-text.ts';

/** Lets the person sign a challenge of the service with one of their passkeys. */
export function PasskeyButton({
	label,
	kind = 'plain',
	autoFocus = false,
	challenge,
	onSigned,
}: {
	label: string;
	kind?: ButtonKind;
	autoFocus?: boolean;
	challenge(): Promise<PublicKeyCredentialRequestOptionsJSON>;
	onSigned(passkey: Passkey): unknown;
}) {
	const { t } = useTranslation();
	const faultText = useFaultText();
	const [isBusy, setBusy] = useState(false);
	const [fault, setFault] = useState<string>();
	const textOf = (error: unknown) => {
		if (error instanceof PasskeyError) return t('signIn.passkey.cancelled');
		const isRefused =
			error instanceof ApiError &&
			['sign_in_failed', 'code_needed', 'validation_failed'].includes(error.code);
		return isRefused ? t('signIn.passkey.wrong') : faultText(error);
	};
	const sign = async () => {
		setBusy(true);
		setFault(undefined);
		try {
			await onSigned(await signWithPasskey(await challenge()));
		} catch (error) {
			setFault(textOf(error));
		} finally {
			setBusy(false);
		}
	};
	return (
		<>
			<Button kind={kind} busy={isBusy} autoFocus={autoFocus} onClick={() => void sign()}>
				{label}
			</Button>
			{fault && <Notice kind="fault">{fault}</Notice>}
		</>
	);
}
