// npm run pack [-- [FOLDER] [--command-only]]: one file that a plain `npm install FILE` turns into the command `azimuth` and
// the libraries. It needs nothing from the network: the code of other packages that it uses is in it, in the versions of
// package-lock.json. The file is written to FOLDER, otherwise to the root of the clone. With --command-only, it has no
// libraries and is made sooner.
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { callersFolder, prepare, root } from './prepare.mjs';

const words = process.argv.slice(2);
const withLibraries = !words.includes('--command-only');
const folder = words.find((word) => !word.startsWith('-'));
const target = folder === undefined ? root : resolve(callersFolder(), folder);
mkdirSync(target, { recursive: true });
prepare('bundled', 'page', ...(withLibraries ? ['built'] : []));
// What it imports is installed now.
const { pack } = await import('./packed-file.mjs');
await pack(target, withLibraries);
