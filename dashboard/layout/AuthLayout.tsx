import type { ReactNode } from 'react';
import { PageBrand } from '../brand.ts';
import { AppLayout } from './AppLayout.tsx';
import styles from './AuthLayout.module.css';

/** Layout of pages before sign-in: one narrow column. No account can make it look like its own, because people enter passwords here. */
export function AuthLayout({
	title,
	text,
	children,
}: {
	/** Of the page and of the browser's tab. */
	title: string;
	text?: ReactNode;
	children?: ReactNode;
}) {
	return (
		<PageBrand value={null}>
			<AppLayout title={title}>
				<div className={styles.column}>
					<header>
						<h1>{title}</h1>
						{text && <p>{text}</p>}
					</header>
					{children}
				</div>
			</AppLayout>
		</PageBrand>
	);
}
