import { type ComponentType, type LazyExoticComponent, type ReactNode, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { AppLayout } from './layout/AppLayout.tsx';
import { NotFound } from './layout/NotFound.tsx';
import { lazyPage, lazyPageWithTexts } from './lazy-page.ts';
import { SessionProvider, useSession } from './session.tsx';
import { ErrorBoundary } from './ui/ErrorBoundary.tsx';
import { Failure } from './ui/States.tsx';

export type PageProps = { params: Record<string, string | undefined> };
/** Its file comes when it is first opened, and with it what it says. */
type Page = LazyExoticComponent<ComponentType<PageProps>>;

/** Every page: its address, whom it is for, and what draws it. The service knows the same addresses (server/http/public/dashboard-files.ts; a test compares them). */
const pages: readonly { path: string; for: 'account' | 'everybody'; page: Page }[] = [
	{
		path: '/sign-in',
		for: 'everybody',
		page: lazyPageWithTexts(async () => (await import('./pages/SignInPage/SignInPage.tsx')).SignInPage),
	},
	{
		path: '/forgotten',
		for: 'everybody',
		page: lazyPageWithTexts(
			async () => (await import('./pages/ForgotPasswordPage/ForgotPasswordPage.tsx')).ForgotPasswordPage,
		),
	},
	{
		path: '/password',
		for: 'everybody',
		page: lazyPageWithTexts(
			async () => (await import('./pages/SetPasswordPage/SetPasswordPage.tsx')).SetPasswordPage,
		),
	},
	{
		path: '/sign-up',
		for: 'everybody',
		page: lazyPageWithTexts(async () => (await import('./pages/SignUpPage/SignUpPage.tsx')).SignUpPage),
	},
	{
		path: '/set-up',
		for: 'everybody',
		page: lazyPageWithTexts(async () => (await import('./pages/SetUpPage/SetUpPage.tsx')).SetUpPage),
	},
	{
		path: '/account',
		for: 'account',
		page: lazyPageWithTexts(async () => (await import('./pages/AccountPage/AccountPage.tsx')).AccountPage),
	},
	{
		path: '/account/:tab',
		for: 'account',
		page: lazyPageWithTexts(async () => (await import('./pages/AccountPage/AccountPage.tsx')).AccountPage),
	},
	{
		path: '/doctor',
		for: 'account',
		page: lazyPageWithTexts(async () => (await import('./pages/DoctorPage/DoctorPage.tsx')).DoctorPage),
	},
	{
		path: '/operator',
		for: 'account',
		page: lazyPageWithTexts(async () => (await import('./pages/OperatorPage/OperatorPage.tsx')).OperatorPage),
	},
	{
		path: '/operator/:tab',
		for: 'account',
		page: lazyPageWithTexts(async () => (await import('./pages/OperatorPage/OperatorPage.tsx')).OperatorPage),
	},
	{
		path: '/boards',
		for: 'account',
		page: lazyPageWithTexts(async () => (await import('./pages/BoardsPage/BoardsPage.tsx')).BoardsPage),
	},
	{
		path: '/boards/:id',
		for: 'account',
		page: lazyPageWithTexts(async () => (await import('./pages/BoardsPage/BoardPage.tsx')).BoardPage),
	},
	{
		path: '/join',
		for: 'everybody',
		page: lazyPageWithTexts(async () => (await import('./pages/JoinPage/JoinPage.tsx')).JoinPage),
	},
	{
		path: '/confirm-address',
		for: 'everybody',
		page: lazyPageWithTexts(async () => (await import('./pages/ConfirmPage/ConfirmPage.tsx')).ConfirmPage),
	},
	{
		path: '/websites',
		for: 'account',
		page: lazyPageWithTexts(async () => (await import('./pages/WebsitesPage/WebsitesPage.tsx')).WebsitesPage),
	},
	{
		path: '/websites/new',
		for: 'account',
		page: lazyPageWithTexts(
			async () => (await import('./pages/NewWebsitePage/NewWebsitePage.tsx')).NewWebsitePage,
		),
	},
	{
		path: '/websites/:id/install',
		for: 'account',
		page: lazyPageWithTexts(async () => (await import('./pages/InstallPage/InstallPage.tsx')).InstallPage),
	},
	{
		path: '/websites/:id/reports',
		for: 'account',
		page: lazyPageWithTexts(async () => (await import('./pages/ReportsPage/ReportsPage.tsx')).ReportsPage),
	},
	{
		path: '/websites/:id/journeys',
		for: 'account',
		page: lazyPageWithTexts(async () => (await import('./pages/JourneysPage/JourneysPage.tsx')).JourneysPage),
	},
	{
		path: '/websites/:id/settings/:tab?',
		for: 'account',
		page: lazyPageWithTexts(async () => (await import('./pages/SettingsPage/SettingsPage.tsx')).SettingsPage),
	},
	{
		path: '/websites/:id',
		for: 'everybody',
		page: lazyPage(async () => (await import('./pages/StatisticsPage/StatisticsPage.tsx')).StatisticsPage),
	},
	{
		path: '/s/:token',
		for: 'everybody',
		page: lazyPage(async () => (await import('./pages/LinkPage/LinkPage.tsx')).LinkPage),
	},
	{
		path: '/websites/:id/live',
		for: 'everybody',
		page: lazyPageWithTexts(async () => (await import('./pages/LivePage/LivePage.tsx')).LivePage),
	},
];

export function App() {
	const [path] = useLocation();
	return (
		<SessionProvider
			whileAsking={null}
			whenFailed={(error, again) => <Failure error={error} onTryAgain={again} />}
		>
			<ErrorBoundary resetKey={path} page={(failure) => <FailedPage>{failure}</FailedPage>}>
				<Switch>
					<Route path="/">
						<Redirect to="/websites" replace />
					</Route>
					{pages.map(({ path: pattern, page: Page, for: whom }) => (
						<Route key={pattern} path={pattern}>
							{(params) => {
								// A boundary of its own: under a shared one, the timers of the page before run on while this one loads.
								const shown = (
									<Suspense fallback={null}>
										<Page params={params as PageProps['params']} />
									</Suspense>
								);
								return whom === 'account' ? <ForAccounts>{shown}</ForAccounts> : shown;
							}}
						</Route>
					))}
					<Route>
						<NotFound />
					</Route>
				</Switch>
			</ErrorBoundary>
		</SessionProvider>
	);
}

function FailedPage({ children }: { children: ReactNode }) {
	const { t } = useTranslation();
	const title = t('common.product');
	return (
		<AppLayout title={title} crumbs={<h1 className="unseen">{title}</h1>}>
			{children}
		</AppLayout>
	);
}

/** Redirects to the sign-in page, which returns here. */
function ForAccounts({ children }: { children: ReactNode }) {
	const who = useSession();
	const [path] = useLocation();
	if (who) return children;
	const wanted = path + location.search;
	const back = wanted === '/websites' ? '' : `?to=${encodeURIComponent(wanted)}`;
	return <Redirect to={`/sign-in${back}`} replace />;
}
