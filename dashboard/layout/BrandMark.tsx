import { type ReactNode, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import type { Branding } from '../../api/branding.ts';
import styles from './BrandMark.module.css';

/** The logo or the name of an account in place of the service's own, which are the children. */
export function BrandMark({ brand, children }: { brand: Branding; children: ReactNode }) {
	const { t } = useTranslation();
	const { logo, dark_logo: dark } = brand;
	const icon = [logo, dark].find((image) => image && image.width < 2 * image.height);
	useEffect(() => (icon ? showIcon(icon) : undefined), [icon]);
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

/** In the browser's tab, where the image is about as high as it is wide. */
function showIcon({ url, type }: Image): (() => void) | undefined {
	const link = document.querySelector<HTMLLinkElement>('link[rel=icon]');
	if (!link) return undefined;
	const before = { href: link.href, type: link.type };
	Object.assign(link, { href: url, type });
	return () => void Object.assign(link, before);
}
