// npm run docs [-- folder]: writes the generated pages into docs/, or into another folder. Needs the build.
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { referencePages } from '../packages/model/dist/reference/index.js';

const folder = resolve(process.argv[2] ?? fileURLToPath(new URL('../docs', import.meta.url)));
for (const [name, text] of Object.entries(referencePages())) writeFileSync(join(folder, name), text);
