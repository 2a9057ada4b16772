// npm run docs [-- folder]: writes the generated pages into docs/, or into another folder. Without a folder, it also writes the
// generated files of deploy/.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { callersFolder, prepare, root } from './prepare.mjs';

prepare('built');
// What these import is installed and built now.
const { referencePages } = await import('../packages/model/dist/reference/index.js');
const { casePages } = await import('../packages/check/dist/reference/index.js');
const { monitorPages, monitorDeployment } = await import('../packages/monitor/dist/reference/index.js');
const { filterPages } = await import('../packages/bridge/dist/wireshark/index.js');
const { apiPages } = await import('./api-pages.mjs');

const [target] = process.argv.slice(2);
const folder = target === undefined ? join(root, 'docs') : resolve(callersFolder(), target);
write(folder, { ...referencePages(), ...casePages(), ...monitorPages(), ...filterPages(), ...apiPages() });
if (target === undefined) write(join(root, 'deploy'), monitorDeployment());

function write(folder, files) {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}
