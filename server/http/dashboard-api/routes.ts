import { accountRoutes } from './account.ts';
import { doctorRoutes } from './doctor.ts';
import { favoriteRoutes } from './favorites.ts';
import { invitationRoutes } from './invitations.ts';
import { memberRoutes } from './members.ts';
import { oidcRoutes } from './oidc.ts';
import { ownDataRoutes } from './own-data.ts';
import { passkeyRoutes } from './passkeys.ts';
import { passwordRoutes } from './password.ts';
import { policyRoutes } from './policy.ts';
import type { SessionRoute } from './session-route.ts';
import { signInRoutes } from './sign-in.ts';
import { signUpRoutes } from './sign-up.ts';
import { transferRoutes } from './transfers.ts';
import { twoFactorRoutes } from './two-factor.ts';

/** All routes that need a session or open one, mounted at `/app/api`. */
export const dashboardRoutes: readonly SessionRoute[] = [
	...signInRoutes,
	...signUpRoutes,
	...accountRoutes,
	...ownDataRoutes,
	...passwordRoutes,
	...twoFactorRoutes,
	...passkeyRoutes,
	...oidcRoutes,
	...policyRoutes,
	...memberRoutes,
	...invitationRoutes,
	...transferRoutes,
	...doctorRoutes,
	...favoriteRoutes,
];
