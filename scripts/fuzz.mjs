// npm run fuzz [-- --seconds N] [--seed N]: besets a scanner with whatever may come in at its HTTP port, for as long as
// wanted. A run that fails tells its seed; the same seed sends the same cases.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { prepare, root } from './prepare.mjs';
import { run } from './run.mjs';

const options = { seconds: { type: 'string' }, seed: { type: 'string' } };

function numbersOf(args) {
  try {
    const { values } = parseArgs({ args, options });
    for (const [name, value] of Object.entries(values)) {
      if (!/^\d{1,9}$/.test(value)) throw new Error(`--${name} takes a number`);
    }
    return values;
  } catch (error) {
    process.stderr.write(`${error.message}\nnpm run fuzz -- [--seconds N] [--seed N]\n`);
    process.exit(2);
  }
}

const { seconds = '60', seed } = numbersOf(process.argv.slice(2));
prepare();
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
process.exitCode = run(process.execPath, [vitest, 'run', 'tests/fuzz'], {
  env: {
    ...process.env,
    AZIMUTH_FUZZ_SECONDS: seconds,
    ...(seed === undefined ? {} : { AZIMUTH_FUZZ_SEED: seed }),
  },
});
