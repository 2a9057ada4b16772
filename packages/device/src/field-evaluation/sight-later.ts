import { Later } from '../later.js';

/** How fields are looked into: loaded with the first one that is active, as a scanner may never have any. */
export const sightLater = new Later(async () => (await import('../sight/sight.js')).Sight);
