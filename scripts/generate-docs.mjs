// npm run docs [-- folder]: writes the generated pages into docs/, or into another folder.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { callersFolder, prepare, root } from './prepare.mjs';

prepare('built');
const { referencePages } = await import('../packages/model/dist/reference/index.js');

const [target] = process.argv.slice(2);
const folder = target === undefined ? join(root, 'docs') : resolve(callersFolder(), target);
mkdirSync(folder, { recursive: true });
for (const [name, text] of Object.entries(referencePages())) writeFileSync(join(folder, name), text);
