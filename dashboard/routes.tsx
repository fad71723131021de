import { type ComponentType, type LazyExoticComponent, type ReactNode, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { Frame } from './Frame.tsx';
import { later, laterWithWords } from './later.ts';
import { NotFound } from './NotFound.tsx';
import { SessionProvider, useSession } from './session.tsx';
import { Boundary } from './ui/Boundary.tsx';
import { Failure } from './ui/States.tsx';

export type PageProps = { params: Record<string, string | undefined> };
/** Its file comes when it is first opened, and with it what it says. */
type Page = LazyExoticComponent<ComponentType<PageProps>>;

/** Every page: its address, whom it is for, and what draws it. The service knows the same addresses (server/http/dashboard.ts; a test compares them). */
const pages: readonly { path: string; for: 'account' | 'everybody'; page: Page }[] = [
	{
		path: '/sign-in',
		for: 'everybody',
		page: laterWithWords(async () => (await import('./pages/SignInPage/SignInPage.tsx')).SignInPage),
	},
	{
		path: '/forgotten',
		for: 'everybody',
		page: laterWithWords(async () => (await import('./pages/ForgottenPage/ForgottenPage.tsx')).ForgottenPage),
	},
	{
		path: '/password',
		for: 'everybody',
		page: laterWithWords(async () => (await import('./pages/PasswordPage/PasswordPage.tsx')).PasswordPage),
	},
	{
		path: '/set-up',
		for: 'everybody',
		page: laterWithWords(async () => (await import('./pages/SetUpPage/SetUpPage.tsx')).SetUpPage),
	},
	{
		path: '/account',
		for: 'account',
		page: laterWithWords(async () => (await import('./pages/AccountPage/AccountPage.tsx')).AccountPage),
	},
	{
		path: '/account/:room',
		for: 'account',
		page: laterWithWords(async () => (await import('./pages/AccountPage/AccountPage.tsx')).AccountPage),
	},
	{
		path: '/doctor',
		for: 'account',
		page: laterWithWords(async () => (await import('./pages/DoctorPage/DoctorPage.tsx')).DoctorPage),
	},
	{
		path: '/join',
		for: 'everybody',
		page: laterWithWords(async () => (await import('./pages/JoinPage/JoinPage.tsx')).JoinPage),
	},
	{
		path: '/websites',
		for: 'account',
		page: laterWithWords(async () => (await import('./pages/WebsitesPage/WebsitesPage.tsx')).WebsitesPage),
	},
	{
		path: '/websites/new',
		for: 'account',
		page: laterWithWords(
			async () => (await import('./pages/NewWebsitePage/NewWebsitePage.tsx')).NewWebsitePage,
		),
	},
	{
		path: '/websites/:id/install',
		for: 'account',
		page: laterWithWords(async () => (await import('./pages/InstallPage/InstallPage.tsx')).InstallPage),
	},
	{
		path: '/websites/:id/reports',
		for: 'account',
		page: laterWithWords(async () => (await import('./pages/ReportsPage/ReportsPage.tsx')).ReportsPage),
	},
	{
		path: '/websites/:id/settings/:room?',
		for: 'account',
		page: laterWithWords(async () => (await import('./pages/SettingsPage/SettingsPage.tsx')).SettingsPage),
	},
	{
		path: '/websites/:id',
		for: 'everybody',
		page: later(async () => (await import('./pages/StatisticsPage/StatisticsPage.tsx')).StatisticsPage),
	},
	{
		path: '/websites/:id/live',
		for: 'everybody',
		page: later(async () => (await import('./pages/LivePage/LivePage.tsx')).LivePage),
	},
];

export function App() {
	const [path] = useLocation();
	return (
		<SessionProvider
			whileAsking={null}
			whenFailed={(error, again) => <Failure error={error} onTryAgain={again} />}
		>
			<Boundary at={path} page={(failure) => <FailedPage>{failure}</FailedPage>}>
				<Suspense fallback={null}>
					<Switch>
						<Route path="/">
							<Redirect to="/websites" replace />
						</Route>
						{pages.map(({ path: pattern, page: Page, for: whom }) => (
							<Route key={pattern} path={pattern}>
								{(params) => {
									const shown = <Page params={params as PageProps['params']} />;
									return whom === 'account' ? <ForAccounts>{shown}</ForAccounts> : shown;
								}}
							</Route>
						))}
						<Route>
							<NotFound />
						</Route>
					</Switch>
				</Suspense>
			</Boundary>
		</SessionProvider>
	);
}

function FailedPage({ children }: { children: ReactNode }) {
	const { t } = useTranslation();
	const title = t('common.product');
	return (
		<Frame title={title} crumbs={<h1 className="unseen">{title}</h1>}>
			{children}
		</Frame>
	);
}

/** Whoever is not signed in signs in and comes back. */
function ForAccounts({ children }: { children: ReactNode }) {
	const who = useSession();
	const [path] = useLocation();
	if (who) return children;
	const wanted = path + location.search;
	const back = wanted === '/websites' ? '' : `?to=${encodeURIComponent(wanted)}`;
	return <Redirect to={`/sign-in${back}`} replace />;
}
