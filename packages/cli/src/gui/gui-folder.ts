import { fileURLToPath } from 'node:url';

/** The files of the GUI, built by Vite. */
export const guiFolder = fileURLToPath(new URL('../../../web/dist', import.meta.url));
