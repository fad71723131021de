import { Alerts } from './Alerts.tsx';
import { Data } from './Data.tsx';
import { Drops } from './Drops.tsx';
import { Exclusions } from './Exclusions.tsx';
import { General } from './General.tsx';
import { Goals } from './Goals.tsx';
import { ChangesRoom, PeopleRoom } from './PeopleRoom.tsx';
import { Privacy } from './Privacy.tsx';
import { Reports } from './Reports.tsx';
import type { Room } from './room.ts';

/** The rooms of the settings, in the order of their list; the name is the end of the address. */
export const rooms = {
	general: General,
	privacy: Privacy,
	goals: Goals,
	exclusions: Exclusions,
	drops: Drops,
	alerts: Alerts,
	reports: Reports,
	people: PeopleRoom,
	changes: ChangesRoom,
	data: Data,
} as const satisfies Record<string, Room>;

export type RoomName = keyof typeof rooms;

/** Those that only admins and the owner are shown. */
export const ruledRooms: ReadonlySet<RoomName> = new Set(['people', 'changes']);
