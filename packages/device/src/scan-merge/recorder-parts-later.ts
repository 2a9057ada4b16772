import { Later } from '../later.js';

/** What records and keeps clouds: loaded once the recorder is on, or somebody asks for a cloud. */
export const recorderPartsLater = new Later(() => import('./recorder-parts.js'));
