// npm run docs [-- folder]: writes the generated pages into docs/, or into another folder. Needs the build.
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  Device,
  MemoryStorage,
  SystemRandom,
  VirtualClock,
  virtualIdentity,
} from '../packages/device/dist/index.js';
import { referencePages } from '../packages/model/dist/reference/index.js';
import { missingOf, notBuiltPage } from './not-built.mjs';

const silent = { info() {}, warn() {}, error() {} };
const device = await Device.open({
  identity: virtualIdentity('1'),
  clock: new VirtualClock(),
  random: new SystemRandom(),
  storage: new MemoryStorage(),
  host: { log: silent, temperature: () => 20 },
  core: { start() {}, stop() {} },
  variant: 'full',
  bootMilliseconds: 0,
});

const folder = resolve(process.argv[2] ?? fileURLToPath(new URL('../docs', import.meta.url)));
const pages = {
  ...referencePages(),
  'not-built.md': notBuiltPage(missingOf(device)),
};
for (const [name, text] of Object.entries(pages)) writeFileSync(join(folder, name), text);
