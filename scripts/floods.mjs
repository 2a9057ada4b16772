// npm run floods [-- --ms N] [--only TEXT] [--launcher COMMAND]: besets a scanner with all that a stranger may send to any of
// its paths and ports, from 300 clients at a time, and tells how long scan data were held back and what memory it took.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { prepare, root } from './prepare.mjs';
import { run } from './run.mjs';

const options = { ms: { type: 'string' }, only: { type: 'string' }, launcher: { type: 'string' } };

function wishesOf(args) {
  try {
    const { values } = parseArgs({ args, options });
    if (values.ms !== undefined && !/^\d{1,9}$/.test(values.ms)) throw new Error('--ms takes a number');
    return values;
  } catch (error) {
    process.stderr.write(`${error.message}\nnpm run floods -- [--ms N] [--only TEXT] [--launcher COMMAND]\n`);
    process.exit(2);
  }
}

const { ms = '2000', only = '', launcher = '' } = wishesOf(process.argv.slice(2));
prepare();
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
process.exitCode = run(process.execPath, [vitest, 'run', 'tests/floods/campaign.test.ts'], {
  env: {
    ...process.env,
    AZIMUTH_FLOOD_MS: ms,
    AZIMUTH_FLOOD_ONLY: only,
    AZIMUTH_FLOOD_LAUNCHER: launcher,
  },
});
