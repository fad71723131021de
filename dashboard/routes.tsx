import { type ComponentType, type LazyExoticComponent, lazy, type ReactNode, Suspense } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { NotFound } from './NotFound.tsx';
import { SessionProvider, useSession } from './session.tsx';
import { loadRooms } from './texts/texts.ts';
import { Failure } from './ui/States.tsx';

export type PageProps = { params: Record<string, string | undefined> };
type Page = LazyExoticComponent<ComponentType<PageProps>>;

/** A page that comes as a file of its own when it is first opened, and with it what it says. */
const later = <N extends string>(
	load: () => Promise<Record<N, ComponentType<PageProps>>>,
	name: N,
	says: 'core' | 'rooms' = 'rooms',
): Page =>
	lazy(async () => {
		const [page] = await Promise.all([load(), says === 'rooms' && loadRooms()]);
		return { default: page[name] };
	});

/** Every page: its address, whom it is for, and what draws it. The service knows the same addresses (server/http/dashboard.ts; a test compares them). */
const pages: readonly { path: string; for: 'account' | 'everybody'; page: Page }[] = [
	{
		path: '/sign-in',
		for: 'everybody',
		page: later(() => import('./pages/SignInPage/SignInPage.tsx'), 'SignInPage'),
	},
	{
		path: '/forgotten',
		for: 'everybody',
		page: later(() => import('./pages/ForgottenPage/ForgottenPage.tsx'), 'ForgottenPage'),
	},
	{
		path: '/password',
		for: 'everybody',
		page: later(() => import('./pages/PasswordPage/PasswordPage.tsx'), 'PasswordPage'),
	},
	{
		path: '/set-up',
		for: 'everybody',
		page: later(() => import('./pages/SetUpPage/SetUpPage.tsx'), 'SetUpPage'),
	},
	{
		path: '/account',
		for: 'account',
		page: later(() => import('./pages/AccountPage/AccountPage.tsx'), 'AccountPage'),
	},
	{
		path: '/account/:room',
		for: 'account',
		page: later(() => import('./pages/AccountPage/AccountPage.tsx'), 'AccountPage'),
	},
	{
		path: '/doctor',
		for: 'account',
		page: later(() => import('./pages/DoctorPage/DoctorPage.tsx'), 'DoctorPage'),
	},
	{
		path: '/join',
		for: 'everybody',
		page: later(() => import('./pages/JoinPage/JoinPage.tsx'), 'JoinPage'),
	},
	{
		path: '/websites',
		for: 'account',
		page: later(() => import('./pages/WebsitesPage/WebsitesPage.tsx'), 'WebsitesPage'),
	},
	{
		path: '/websites/new',
		for: 'account',
		page: later(() => import('./pages/NewWebsitePage/NewWebsitePage.tsx'), 'NewWebsitePage'),
	},
	{
		path: '/websites/:id/install',
		for: 'account',
		page: later(() => import('./pages/InstallPage/InstallPage.tsx'), 'InstallPage'),
	},
	{
		path: '/websites/:id/reports',
		for: 'account',
		page: later(() => import('./pages/ReportsPage/ReportsPage.tsx'), 'ReportsPage'),
	},
	{
		path: '/websites/:id/settings/:room?',
		for: 'account',
		page: later(() => import('./pages/SettingsPage/SettingsPage.tsx'), 'SettingsPage'),
	},
	{
		path: '/websites/:id',
		for: 'everybody',
		page: later(() => import('./pages/StatisticsPage/StatisticsPage.tsx'), 'StatisticsPage', 'core'),
	},
	{
		path: '/websites/:id/live',
		for: 'everybody',
		page: later(() => import('./pages/LivePage/LivePage.tsx'), 'LivePage', 'core'),
	},
];

export function App() {
	return (
		<SessionProvider
			whileAsking={null}
			whenFailed={(error, again) => <Failure error={error} onTryAgain={again} />}
		>
			<Suspense fallback={null}>
				<Switch>
					<Route path="/">
						<Redirect to="/websites" replace />
					</Route>
					{pages.map(({ path, page: Page, for: whom }) => (
						<Route key={path} path={path}>
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
		</SessionProvider>
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
