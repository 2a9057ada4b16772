import { Later } from '../later.js';

/** Filters and data reduction: loaded with the measuring core, as nothing is done with scans before. */
export const processingLater = new Later(async () => (await import('./processing.js')).Processing);
