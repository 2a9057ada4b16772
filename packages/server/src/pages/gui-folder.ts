import { fileURLToPath } from 'node:url';

/** Folder of the GUI for `web.gui` of a scanner. */
export const guiFolder = fileURLToPath(new URL('../../../web/dist', import.meta.url));
