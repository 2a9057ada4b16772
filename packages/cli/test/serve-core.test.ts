import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { VirtualClock } from '@azimuth/device';
import { temporaryFolder } from '@azimuth/test-support/files';
import { LogBook } from '@azimuth/test-support/log-book';
import { SeededRandom } from '@azimuth/test-support/seeded-random';
import { expect, test } from 'vitest';
import { loadCore } from '../src/serve/core.js';

/** The result of a module with this text. */
function coreOf(text: string): Promise<unknown> {
  const file = join(temporaryFolder(), 'core.mjs');
  writeFileSync(file, text);
  return loadCore(file, { clock: new VirtualClock(), random: new SeededRandom(), log: new LogBook() }, 200);
}

test.each([
  ['a function that never gets ready', 'export default () => new Promise(() => {});'],
  ['a module that never gets ready', 'await new Promise(() => {});'],
])('%s is reported', async (_, text) => {
  await expect(coreOf(text)).rejects.toThrow(/^--core .*core\.mjs: no core was made within 0\.2 s$/);
});

test.each([
  [
    'an error that has no text',
    'export default () => { throw Object.create(null); };',
    'its function failed: ',
  ],
  [
    'a core that fails when it is looked at',
    'export default () => ({ get start() { throw new Error("getter"); }, stop() {} });',
    'its function failed: Error: getter',
  ],
  ['no core', 'export default () => null;', 'but returned null'],
  [
    'the former name of the timer',
    'export default ({ Rotation }) => ({ start() { new Rotation(); }, stop() {} });',
    'its function failed: TypeError: `Rotation` is now called `RevolutionTimer`',
  ],
])('%s is reported in one line', async (_, text, told) => {
  await expect(coreOf(text)).rejects.toMatchObject({
    name: 'CommandFailure',
    message: expect.stringContaining(told),
  });
});

test('a core that starts slowly is accepted', async () => {
  const text =
    'export default async () => { await new Promise(setImmediate); return { start() {}, stop() {} }; };';
  expect(await coreOf(text)).toHaveProperty('start');
});
