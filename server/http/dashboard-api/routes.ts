import { accountRoutes } from './account.ts';
import { activityLogRoutes } from './activity-log.ts';
import { boardRoutes } from './boards.ts';
import { doctorRoutes } from './doctor.ts';
import { favoriteRoutes } from './favorites.ts';
import { feedRoutes } from './feeds.ts';
import { invitationRoutes } from './invitations.ts';
import { memberRoutes } from './members.ts';
import { oidcRoutes } from './oidc.ts';
import { ownDataRoutes } from './own-data.ts';
import { passkeyRoutes } from './passkeys.ts';
import { passwordRoutes } from './password.ts';
import { recipientRoutes } from './recipients.ts';
import { reportRoutes } from './reports.ts';
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
	...memberRoutes,
	...invitationRoutes,
	...transferRoutes,
	...activityLogRoutes,
	...doctorRoutes,
	...recipientRoutes,
	...feedRoutes,
	...reportRoutes,
	...boardRoutes,
	...favoriteRoutes,
];
