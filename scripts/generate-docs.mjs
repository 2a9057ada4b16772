// npm run docs [-- folder]: writes the generated pages into docs/, or into another folder.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { callersFolder, prepare, root } from './prepare.mjs';

prepare('built');
const { faultPage } = await import('../packages/model/dist/faults/index.js');
const { referencePages } = await import('../packages/model/dist/reference/index.js');

const [target] = process.argv.slice(2);
const folder = target === undefined ? join(root, 'docs') : resolve(callersFolder(), target);
mkdirSync(folder, { recursive: true });
const pages = { ...referencePages(), 'fault-kinds.md': faultPage() };
for (const [name, text] of Object.entries(pages)) writeFileSync(join(folder, name), text);
