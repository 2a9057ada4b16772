import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readyScenes } from '@azimuth/simulation/world';
import { startScanner, type TestScanner } from '@azimuth/testing';
import { describe, expect, onTestFinished, test } from 'vitest';
import { frameJson } from '../../src/scan-data/frame-text.js';
import { azimuth } from '../run.js';
import { receivedFrames } from '../truth/received-frames.js';

const noLosses = { frames: 0, telegrams: 0, damaged: 0, restarts: 0, overrun: 0, outOfOrder: 0 };

const range = {
  bEnable: true,
  fThetaStart: -400_000,
  fThetaStop: 700_000,
  fPhiStart: -900_000,
  fPhiStop: 900_000,
};

type Settings = (scanner: TestScanner) => Promise<unknown>;

describe.each([...readyScenes])('a right driver in the scene %s', (scene) => {
  test.each<[string, Settings, ...string[]]>([
    ['the first echo alone', (scanner) => scanner.write('FREchoFilter', 0)],
    ['an angle range', (scanner) => scanner.write('LFPangleRangeFilter', { ...range, uiBeamIncrement: 1 })],
    [
      'every seventh beam',
      (scanner) => scanner.write('LFPangleRangeFilter', { ...range, uiBeamIncrement: 7 }),
    ],
    [
      'a moving average',
      (scanner) => scanner.write('LFPmovingAveragingFilter', { bEnable: true, uiAveragingDepth: 3 }),
      '--average',
      '3',
    ],
    [
      'a range of distances',
      (scanner) =>
        scanner.write('LFPradialDistanceRangeFilter', { bEnable: true, ulDistMin: 1000, ulDistMax: 5000 }),
    ],
    ['the finest profile', (scanner) => scanner.write('PerformanceProfileNumber', 9)],
    ['the fastest profile', (scanner) => scanner.write('PerformanceProfileNumber', 2)],
  ])('is judged right with %s', async (_, settings, ...options) => {
    const scanner = await startScanner({ scene, controlPort: true });
    onTestFinished(() => scanner.close());
    await scanner.advance(3000);
    await settings(scanner);
    const [frames = []] = await receivedFrames([scanner], () => scanner.advance(700));
    const folder = await mkdtemp(join(tmpdir(), 'azimuth-truth-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const path = join(folder, 'scans.jsonl');
    await writeFile(path, frames.map((frame) => `${frameJson(frame, noLosses)}\n`).join(''));
    const control = `http://127.0.0.1:${scanner.ports.control}`;
    const { stdout, stderr } = await azimuth(
      'truth',
      '--control',
      control,
      '--points',
      path,
      '--count',
      '6',
      '--json',
      ...options,
    );
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toMatchObject({ findings: [], verdict: 'right' });
  });
});
