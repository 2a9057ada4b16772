import { describe, expect, test } from 'vitest';
import { problem } from '../../src/doctor/check.js';
import { problemsSince } from '../../src/rollout/health.js';
import { azimuth } from '../run.js';
import { calls, startHall } from './hall.js';

describe('the problems since a change', () => {
  const finding = (check: string, text = 'it is wrong') => ({ ...problem(text, ''), check });

  test('are those of checks that had fewer before, whatever their texts say', () => {
    const now = [finding('status', 'for 9 s'), finding('clock'), finding('clock')];
    expect(problemsSince({ status: 1, clock: 1 }, now).map(({ check }) => check)).toEqual(['clock', 'clock']);
    expect(problemsSince({ status: 2, clock: 2 }, now)).toEqual([]);
    expect(problemsSince({}, [])).toEqual([]);
  });
});

test('a scanner whose health is worse after its change ends the run; one that was like that goes on', async () => {
  // Neither measures after a boot: the first one did not before, either.
  const hall = await startHall(3, (number) => (number < 3 ? { stored: { AutoStartMeasure: false } } : {}));
  await hall.scanners[1]?.client.call('mStartMeasure');
  const { stderr, exitCode } = await azimuth(
    ...['reboot', '@hall/*', '--rolling', '1', '--yes', '--settle', '0', '--journal', hall.at('run.jsonl')],
  );
  expect({ stderr, exitCode }).toEqual({
    stderr: expect.stringMatching(/its health is worse than before the change: status: the scanner does not/),
    exitCode: 1,
  });
  expect(stderr).toContain('1 done, 1 failed (hall/gate2), 1 not begun (hall/gate3)');
  expect(calls(hall, 'RebootDevice')).toEqual([1, 1, 0]);
  // It goes on with a scanner that is repaired, or without a look at it.
  await hall.scanners[1]?.client.call('mStartMeasure');
  const resumed = await azimuth(
    ...['reboot', '@hall/*', '--yes', '--health', 'none', '--resume', hall.at('run.jsonl')],
  );
  expect(resumed.stderr).toContain('3 done');
}, 60_000);

test('twenty scanners are served in two steps', async () => {
  const hall = await startHall(20);
  const { stderr, exitCode } = await azimuth(
    ...['reboot', '@hall/*', '--rolling', '10', '--yes', '--journal', hall.at('run.jsonl')],
    ...['--health', 'none'],
  );
  expect({ exitCode, stderr }).toEqual({
    exitCode: 0,
    stderr: expect.stringMatching(/step 2 of 2(.|\n)*20 done/),
  });
  expect(calls(hall, 'RebootDevice')).toEqual(Array.from({ length: 20 }, () => 1));
}, 60_000);
