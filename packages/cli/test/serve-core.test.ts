import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { VirtualClock } from '@azimuth/device';
import { basicSettings } from '@azimuth/model';
import { temporaryFolder } from '@azimuth/test-support/files';
import { LogBook } from '@azimuth/test-support/log-book';
import { SeededRandom } from '@azimuth/test-support/seeded-random';
import { atService, TestDevice } from '@azimuth/test-support/test-device';
import { describe, expect, test } from 'vitest';
import { loadCore } from '../src/serve/core.js';

const examples = new URL('../../../examples/', import.meta.url);
const parts = () => ({ clock: new VirtualClock(), random: new SeededRandom(), log: new LogBook() });

/** The result of a module with this text. */
function coreOf(text: string): Promise<unknown> {
  const file = join(temporaryFolder(), 'core.mjs');
  writeFileSync(file, text);
  return loadCore(file, parts(), 200);
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

describe('the example that passes segments', () => {
  async function measuring() {
    const core = await loadCore(fileURLToPath(new URL('segment-core.mjs', examples)), parts());
    const { device, clock, log } = await TestDevice.open({ core });
    const late: number[] = [];
    const frames = new Set<number>();
    const { measuring: scanner } = device.features;
    scanner.watch({
      segment: ({ frame, lastBeamTime, distance }) => {
        frames.add(frame);
        late.push(Math.abs(scanner.microseconds() - lastBeamTime));
        expect(distance[0]).toBe(3000);
      },
    });
    return { device, clock, log, late, frames, scanner };
  }

  test('sends each segment when its last beam is measured, in every revolution', async () => {
    const { clock, log, late, frames, scanner } = await measuring();
    clock.advance(1000);
    expect(late.length).toBeGreaterThan(140);
    expect(Math.max(...late)).toBeLessThanOrEqual(1);
    expect([...frames]).toEqual(Array.from({ length: frames.size }, (_, index) => 1 + index));
    expect([log.errors, scanner.skipped]).toEqual([[], 0]);
  });

  test('continues after another order, and after a pause', async () => {
    const { device, clock, log, frames, scanner } = await measuring();
    for (const profile of [9, 1, 2]) {
      clock.advance(130);
      device.write(basicSettings.members.PerformanceProfileNumber, profile, atService);
    }
    scanner.request('stopped');
    clock.advance(1000);
    frames.clear();
    scanner.request('measuring');
    clock.advance(1000);
    expect(frames.size).toBeGreaterThanOrEqual(14);
    expect(log.errors).toEqual([]);
  });
});

test('the documentation prints what the example does with a segment', () => {
  const printed = [
    ...readFileSync(new URL('../docs/measuring-core.md', examples), 'utf8').matchAll(/```js\n([\s\S]*?)```/g),
  ];
  const example = readFileSync(new URL('segment-core.mjs', examples), 'utf8');
  expect(printed.filter(([, text = '']) => text !== '' && example.includes(text))).toHaveLength(1);
});
