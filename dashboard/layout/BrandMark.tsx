import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Branding } from '../../api/branding.ts';
import styles from './BrandMark.module.css';

export type BrandMarkProps = {
	brand: Branding;
	/** The service's own mark and name. */
	children: ReactNode;
	/** Shows these all the same. */
	isOwnShown?: boolean;
};

/** The logo or the name of an account in place of the service's own. */
export function BrandMark({ brand, children, isOwnShown }: BrandMarkProps) {
	const { t } = useTranslation();
	const { logo, dark_logo: dark } = brand;
	if (isOwnShown) return children;
	const main = logo ?? dark;
	if (main) {
		const name = brand.name ?? t('common.product');
		return (
			<>
				<Logo className={dark ? styles.onLight : styles.always} image={main} name={name} />
				{dark && <Logo className={styles.onDark} image={dark} name={name} />}
			</>
		);
	}
	return brand.name === null ? children : <span className={styles.name}>{brand.name}</span>;
}

type Image = NonNullable<Branding['logo']>;

function Logo({ className, image, name }: { className: string | undefined; image: Image; name: string }) {
	const { url, width, height } = image;
	return <img className={className} src={url} width={width} height={height} alt={name} />;
}
