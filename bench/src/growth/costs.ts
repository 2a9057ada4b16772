import { setImmediate } from 'node:timers/promises';
import { geometryOf, Scan, VirtualClock } from '@azimuth/device';
import { type PerformanceProfile, performanceProfiles, SensitivityMode } from '@azimuth/model';
import { parseScene, SceneMeasurement } from '@azimuth/simulation/world';
import { sceneOf } from '../raycast/scene.js';
import { drive } from '../raycast/tasks.js';
import { openScanner, stream } from '../whole-scanner.js';
import type { Cost } from './cost.js';
import { costsOfParameters } from './parameters.js';

/** ms: one scan of profile 8, and its telegrams. */
const revolution = 20;
const telegramsOfScan = 5;
const millisecondsOfDay = 86_400_000;
const numbersOfScanners = [10, 30, 90];
const numbersOfLines = [200, 2000, 20_000];
const numbersOfFields = [1, 5, 20];
const numbersOfDays = [1, 30, 365];

/** Profiles with 829, 1105 and 2761 beams. */
const profiles: readonly (typeof PerformanceProfile)[keyof typeof PerformanceProfile][] = [2, 8, 6];

/** All costs. Scanners send to these UDP ports of this machine, where somebody receives. */
export async function allCosts(ports: readonly number[]): Promise<Cost[]> {
  return [
    ...(await each(numbersOfScanners, (count) => streamingScanners(count, ports))),
    ...profiles.map(beamsOfScan),
    ...numbersOfLines.flatMap((lines) => [linesOfScene(lines, false), linesOfScene(lines, true)]),
    ...(await each(numbersOfFields, (count) => scannerWithFields(count))),
    ...(await costsOfParameters()),
    ...(await each(numbersOfDays, (days) => scannerUpFor(days, ports))),
  ];
}

/** One after the other. */
async function each(sizes: readonly number[], prepare: (size: number) => Promise<Cost>): Promise<Cost[]> {
  const costs: Cost[] = [];
  for (const size of sizes) costs.push(await prepare(size));
  return costs;
}

async function streamingScanners(count: number, ports: readonly number[]): Promise<Cost> {
  const clock = new VirtualClock();
  for (const [index, port] of ports.slice(0, count).entries()) {
    await openScanner(clock, { number: index + 1, port });
  }
  return {
    grows: 'scanners of a process that stream',
    unit: 'a telegram',
    size: count,
    step: () => oneRevolution(clock, count * telegramsOfScan),
  };
}

/** The scanner stands still: what grows is the work with the beams, not the search for what they hit. */
function beamsOfScan(profile: (typeof profiles)[number]): Cost {
  const { beams } = geometryOf(performanceProfiles[profile]);
  return {
    grows: 'beams of a scan',
    unit: 'a beam',
    size: beams,
    step: scansOf({ profile, lines: 200, drives: false, units: beams }),
  };
}

function linesOfScene(lines: number, drives: boolean): Cost {
  return {
    grows: `lines of a scene, ${drives ? 'driving' : 'standing still'}`,
    unit: 'a scan',
    size: lines,
    step: scansOf({ profile: 8, lines, drives, units: 1 }),
  };
}

/** Measures a scan with noise and echoes at each call. */
function scansOf(options: {
  readonly profile: (typeof profiles)[number];
  readonly lines: number;
  readonly drives: boolean;
  readonly units: number;
}): () => Promise<number> {
  const geometry = geometryOf(performanceProfiles[options.profile]);
  const still = parseScene(sceneOf(options.lines), 'scene');
  const scene = options.drives ? { ...still, scanner: { ...still.scanner, path: drive } } : still;
  const order = { geometry, sensitivity: SensitivityMode.STANDARD, longRange: false };
  const measurement = new SceneMeasurement(scene, 1, order);
  const scan = new Scan(geometry);
  return async () => {
    scan.number += 1;
    scan.time += 1_000_000 / geometry.frequency;
    measurement.measure(scan);
    return options.units;
  };
}

async function scannerWithFields(count: number): Promise<Cost> {
  const clock = new VirtualClock();
  await openScanner(clock, { activeFields: count });
  return { grows: 'active fields', unit: 'a scan', size: count, step: () => oneRevolution(clock, 1) };
}

/** The scanner did nothing for days, and streams now. */
async function scannerUpFor(days: number, [port = 0]: readonly number[]): Promise<Cost> {
  const clock = new VirtualClock();
  const scanner = await openScanner(clock, {});
  for (let day = 0; day < days; day++) clock.advance(millisecondsOfDay);
  stream(scanner, port);
  return {
    grows: 'days of uptime',
    unit: 'a telegram',
    size: days,
    step: () => oneRevolution(clock, telegramsOfScan),
  };
}

/** One scan of every scanner with this clock. Sockets get the time to send. */
async function oneRevolution(clock: VirtualClock, units: number): Promise<number> {
  clock.advance(revolution);
  await setImmediate();
  return units;
}
