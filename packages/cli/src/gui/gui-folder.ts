import { fileURLToPath } from 'node:url';

/** The files of the GUI, as Vite has built them. */
export const guiFolder = fileURLToPath(new URL('../../../web/dist', import.meta.url));
