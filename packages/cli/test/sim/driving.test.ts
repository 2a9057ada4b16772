import { parseScene, SceneCore } from '@azimuth/simulation/world';
import { TestScanner } from '@azimuth/test-support/test-scanner';
import { beforeEach, expect, test, vi } from 'vitest';
import { azimuth } from '../run.js';

let scanner: TestScanner;
beforeEach(async () => {
  const scene = parseScene({ vehicles: [{ name: 'agv', y: 2 }] }, 'hall.json');
  scanner = await TestScanner.start({ core: new SceneCore({ scene, seed: 1 }), controlPort: 0 });
  vi.stubEnv('AZIMUTH_CONTROL', `http://127.0.0.1:${scanner.controlPort}`);
});

const sim = (...argv: readonly string[]) => azimuth('sim', ...argv);

async function odometry(...argv: readonly string[]): Promise<unknown> {
  return JSON.parse((await sim('odometry', '--json', ...argv)).stdout);
}

test('drive follows a velocity for a time, backwards, too', async () => {
  expect(await sim('drive', '--speed', '-0.5', '--turn', '0', '--for', '2s')).toMatchObject({
    stderr: '',
    exitCode: 0,
  });
  await sim('advance', '10s');
  expect(await odometry()).toMatchObject({
    x: expect.closeTo(-1, 6),
    speed: 0,
    travelled: expect.closeTo(-1, 6),
  });
});

test('drive stop brakes, and drive to puts the vehicle somewhere', async () => {
  await sim('drive', '--turn', '30');
  await sim('advance', '2s');
  await sim('drive', 'stop');
  await sim('advance', '2s');
  expect(await odometry()).toMatchObject({ speed: 0, turn: 0 });
  await sim('drive', 'to', '1.5', '-2', '90');
  await sim('advance', '1s');
  expect(await odometry()).toMatchObject({ pose: { x: 1.5, y: -2, heading: 90 } });
});

test('a vehicle with a name is chosen by --vehicle, before and after stop', async () => {
  await sim('drive', '--speed', '1', '--vehicle', 'agv');
  await sim('advance', '2s');
  for (const argv of [
    ['drive', 'stop', '--vehicle', 'agv'],
    ['drive', '--vehicle', 'agv', 'stop'],
  ])
    expect((await sim(...argv)).stdout).toContain('vehicle            agv');
  expect(await odometry('--vehicle', 'agv')).toMatchObject({ vehicle: 'agv', pose: { y: 2 } });
  expect(await odometry()).toMatchObject({ travelled: 0 });
});

test('odometry is printed for people', async () => {
  await sim('drive', 'to', '1', '2', '45');
  await sim('advance', '1s');
  const lines = (await sim('odometry')).stdout.trimEnd().split('\n');
  expect(lines.slice(1)).toEqual([
    'odometry           0, 0 m, heading 0°',
    'true position      1, 2 m, heading 45°',
    'speed              0 m/s, turning 0°/s',
    'travelled          0 m',
  ]);
});

test.each([
  [['drive'], 'drive: expected --speed, --turn, stop or to'],
  [['drive', '--speed', 'fast'], '--speed: expected a number, got "fast"'],
  [
    ['drive', '--speed', '1', '--for', 'ever'],
    'expected a duration like 30s, 1.5min, 2h or 7d (also ms), got "ever"',
  ],
  [['drive', 'to', 'left', '1'], 'x: expected a number, got "left"'],
  [
    ['drive', '--speed', '1', '--vehicle', 'agw'],
    'unknown vehicle "agw" (did you mean "agv"?); expected agv',
  ],
])('%j is refused', async (argv, why) => {
  expect(await sim(...argv)).toEqual({ stdout: '', stderr: `azimuth: ${why}\n`, exitCode: 2 });
});
