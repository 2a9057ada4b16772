import { Session } from 'node:inspector/promises';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { expectDone } from './support/envelope.js';
import { Bench } from './support/service-test-bench.js';

const packages = fileURLToPath(new URL('../packages', import.meta.url));

/** The files of ours in which something is executed while `act` runs. */
async function filesPassed(act: () => Promise<void>): Promise<string[]> {
  const session = new Session();
  session.connect();
  onTestFinished(() => session.disconnect());
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await session.post('Profiler.takePreciseCoverage');
  await act();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  return (
    result
      .filter(({ functions }) => functions.some(({ ranges }) => ranges.some(({ count }) => count > 0)))
      .map(({ url }) => relative(packages, url.startsWith('file:') ? fileURLToPath(url) : url))
      // What only hands on, and the clock of the test.
      .filter((file) => /^[a-z]+\/src\/(?!index\.ts|clock\/virtual-clock)/.test(file))
      .sort()
  );
}

test('a write passes at most 20 files, on a connection that has asked before', async () => {
  const bench = await Bench.start();
  const client = bench.client();
  expectDone(await client.write('LocationName', 'before'));
  const header = await client.header('LocationName');
  const write = () => client.post('LocationName', { header, data: { LocationName: 'gate 3' } });
  const passed = await filesPassed(async () => expectDone(await write()));
  expect(passed).toContain('device/src/parameters/parameters.ts');
  expect(passed.length, passed.join('\n')).toBeLessThanOrEqual(20);
});
