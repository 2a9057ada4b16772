// npm run pictures: takes the pictures of the GUI for the docs (docs/images) in Chromium, and draws those of scans, with the film
// (docs/pictures).
import { join } from 'node:path';
import { prepare, root } from './prepare.mjs';
import { run } from './run.mjs';

prepare('bundled', 'page', 'built');
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
const gui = run(process.execPath, [vitest, 'run', 'tests/peers/gui/pictures.test.ts'], {
  env: { ...process.env, AZIMUTH_PICTURES: '1' },
});
process.exitCode = gui || run(process.execPath, [join(root, 'scripts', 'scan-pictures.mjs')]);
