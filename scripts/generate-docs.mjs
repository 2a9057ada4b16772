// npm run docs [-- folder]: writes the generated pages into docs/, or into another folder. Needs the build.
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { faultPage } from '../packages/model/dist/faults/index.js';
import { referencePages } from '../packages/model/dist/reference/index.js';

const folder = resolve(process.argv[2] ?? fileURLToPath(new URL('../docs', import.meta.url)));
const pages = { ...referencePages(), 'fault-kinds.md': faultPage() };
for (const [name, text] of Object.entries(pages)) writeFileSync(join(folder, name), text);
