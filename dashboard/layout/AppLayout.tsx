import { ChevronDown, Menu as MenuIcon } from 'lucide-react';
import { type ComponentType, lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'wouter';
import { type SessionRecord, session, shareToken } from '../api-client.ts';
import { useBrand } from '../brand.ts';
import { isEmbedded } from '../embed.ts';
import { forgetSession, useSession } from '../session.tsx';
import { loadPageTexts } from '../texts/texts.ts';
import { chooseTheme, chosenTheme, type Theme } from '../theme.ts';
import { ButtonLink } from '../ui/Button.tsx';
import { Menu, MenuItem, MenuLine, MenuLink, MenuTitle } from '../ui/Menu.tsx';
import { Notice } from '../ui/Notice.tsx';
import { useFaultText } from '../ui/use-fault-text.ts';
import { useMedia } from '../ui/use-media.ts';
import styles from './AppLayout.module.css';
import { ConnectionBanner } from './ConnectionBanner.tsx';

/** Loaded by few. Also part of the page that says that a file cannot be loaded, so they are left out if their own cannot. */
const optional = <P,>(load: () => Promise<ComponentType<P>>, otherwise: (props: P) => ReactNode) =>
	lazy(async () => ({ default: await load().catch(() => otherwise) }));
const Warnings = optional(
	async () => (await Promise.all([import('./Warnings.tsx'), loadPageTexts()]))[0].Warnings,
	() => null,
);
/** Why the session is refused. */
const PolicyNotice = optional(
	async () => (await Promise.all([import('./PolicyNotice.tsx'), loadPageTexts()]))[0].PolicyNotice,
	() => null,
);
const PageBrandMark = optional(
	async () => (await import('./PageBrandMark.tsx')).PageBrandMark,
	({ children }) => children,
);

/** The mark of the product: the line of the tide above the line of the water. */
function Mark() {
	return (
		<svg
			className={styles.mark}
			viewBox="0 0 24 24"
			fill="none"
			stroke="currentColor"
			strokeWidth="2"
			strokeLinecap="round"
			aria-hidden="true"
		>
			<path d="M2 8c3 0 3 2.4 5 2.4S10 8 12 8s3 2.4 5 2.4S20 8 22 8" />
			<path d="M2 15h20" opacity=".35" />
		</svg>
	);
}

export type HeaderLink = { href: string; label: string };

/** Layout of all other pages: header, warnings and content. */
export function AppLayout({
	title,
	crumbs,
	links = [],
	children,
}: {
	/** Of the browser's tab. */
	title: string;
	/** Where this is, behind the mark. */
	crumbs?: ReactNode;
	/** On the right; on phones in the menu. */
	links?: readonly HeaderLink[];
	children: ReactNode;
}) {
	const { t } = useTranslation();
	const who = useSession();
	// Elsewhere, requests must not be sent with the link.
	const Home = shareToken === undefined ? Link : 'a';
	const isNarrow = useMedia('(max-width: 600px)');
	const [path] = useLocation();
	const refused = who?.policy.refused;
	// There, people set up what a policy requires.
	const isShown = !refused || (path === '/account/security' && refused !== 'network_not_allowed');
	const hasPolicyNotice = refused || (path === '/websites' && who && who.policy.accounts.length > 0);
	const [fault, setFault] = useState<string>();
	const brand = useBrand();
	const product = brand?.name ?? t('common.product');
	useEffect(() => {
		document.title = `${title} · ${product}`;
	}, [title, product]);
	const branded = (own: ReactNode, isOwnShown = false) =>
		brand ? (
			<Suspense fallback={null}>
				<PageBrandMark brand={brand} isOwnShown={isOwnShown}>
					{own}
				</PageBrandMark>
			</Suspense>
		) : (
			own
		);
	if (isEmbedded)
		return (
			<main className={styles.embedded}>
				<ConnectionBanner />
				<h1 className="unseen">{title}</h1>
				{children}
				<p className={styles.origin}>
					<a href={location.pathname} target="_blank" rel="noopener">
						{branded(
							<>
								<Mark /> {t('panels.embed.foot')}
							</>,
							brand?.powered_by,
						)}
					</a>
				</p>
			</main>
		);
	return (
		<div className={styles.page}>
			<a className={styles.skip} href="#content">
				{t('common.toContent')}
			</a>
			<ConnectionBanner />
			<header className={styles.header}>
				<Home className={styles.home} href={who ? '/websites' : '/'}>
					{branded(
						<>
							<Mark />
							<span>{t('common.product')}</span>
						</>,
					)}
				</Home>
				{crumbs && (
					<>
						<span className={styles.slash} aria-hidden="true">
							/
						</span>
						{crumbs}
					</>
				)}
				<div className={styles.tools} data-print="no">
					{(!isNarrow || !who) &&
						links.map(({ href, label }) => (
							<ButtonLink key={href} kind="quiet" href={href}>
								{label}
							</ButtonLink>
						))}
					{who && <AccountMenu links={isNarrow ? links : []} isNarrow={isNarrow} onFault={setFault} />}
				</div>
			</header>
			<main id="content" className={styles.content} tabIndex={-1}>
				{who && hasWarning(who) && (
					<Suspense fallback={null}>
						<Warnings who={who} />
					</Suspense>
				)}
				{hasPolicyNotice && (
					<Suspense fallback={null}>
						<PolicyNotice />
					</Suspense>
				)}
				{fault !== undefined && <Notice kind="fault">{fault}</Notice>}
				{isShown && children}
			</main>
			{brand?.powered_by && (brand.name ?? brand.logo) && (
				<footer className={styles.origin}>{t('common.poweredBy')}</footer>
			)}
		</div>
	);
}

const hasWarning = ({ is_confirmed, warnings, public_address: { is_set, url } }: SessionRecord): boolean =>
	!is_confirmed || warnings.length > 0 || (is_set && url !== location.origin);

function AccountMenu({
	links,
	isNarrow,
	onFault,
}: {
	links: readonly HeaderLink[];
	isNarrow: boolean;
	onFault(text: string): void;
}) {
	const { t } = useTranslation();
	const faultText = useFaultText();
	const who = useSession();
	const themes: Theme[] = ['system', 'light', 'dark'];
	const signOut = async () => {
		try {
			await session.signOut();
		} catch (error) {
			return onFault(faultText(error));
		}
		await forgetSession();
	};
	const switchTo = async (id: number) => {
		if (id === who?.account.id) return;
		try {
			await session.switchAccount(id);
		} catch (error) {
			return onFault(faultText(error));
		}
		// Every page of the other account has other contents.
		location.assign('/websites');
	};
	return (
		<Menu
			className={styles.account}
			label={t('common.account')}
			button={
				isNarrow ? (
					<MenuIcon />
				) : (
					<>
						{t('common.account')} <ChevronDown />
					</>
				)
			}
		>
			{links.map(({ href, label }) => (
				<MenuLink key={href} href={href}>
					{label}
				</MenuLink>
			))}
			{links.length > 0 && <MenuLine />}
			<MenuTitle>{who?.person.email}</MenuTitle>
			<MenuLink href="/account">{t('common.account')}</MenuLink>
			<MenuLink href="/websites">{t('common.websites')}</MenuLink>
			<MenuLink href="/boards">{t('common.boards')}</MenuLink>
			{who?.is_operator && <MenuLink href="/operator">{t('common.operator')}</MenuLink>}
			{who?.is_operator && <MenuLink href="/doctor">{t('common.health')}</MenuLink>}
			<MenuItem onSelect={() => location.assign('/docs/api/')}>{t('common.apiReference')}</MenuItem>
			{who && who.accounts.length > 1 && (
				<>
					<MenuLine />
					<MenuTitle>{t('common.accounts')}</MenuTitle>
					{who.accounts.map(({ id, name }) => (
						<MenuItem key={id} isChosen={id === who.account.id} onSelect={() => void switchTo(id)}>
							{name}
						</MenuItem>
					))}
				</>
			)}
			<MenuLine />
			<MenuTitle>{t('common.theme')}</MenuTitle>
			{themes.map((theme) => (
				<MenuItem key={theme} isChosen={chosenTheme() === theme} onSelect={() => chooseTheme(theme)}>
					{t(`common.themes.${theme}`)}
				</MenuItem>
			))}
			<MenuLine />
			<MenuItem onSelect={() => void signOut()}>{t('common.signOut')}</MenuItem>
		</Menu>
	);
}
