// npm run docs [-- folder]: writes the generated pages into docs/, or into another folder.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { callersFolder, prepare, root } from './prepare.mjs';

prepare('built');
// What these import is installed and built now.
const { referencePages } = await import('../packages/model/dist/reference/index.js');
const { apiPages } = await import('./api-pages.mjs');

const [target] = process.argv.slice(2);
const folder = target === undefined ? join(root, 'docs') : resolve(callersFolder(), target);
for (const [name, text] of Object.entries({ ...referencePages(), ...apiPages() })) {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
}
