import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { EchoChoice } from '../../src/truth/echoes.js';
import { findingKinds } from '../../src/truth/finding.js';
import { type DriverScan, judge } from '../../src/truth/judgement.js';
import type { PointFrame } from '../../src/truth/placement.js';
import { TrueScan } from '../../src/truth/true-scan.js';
import { type DriverFault, type DriverPoint, driverScans, driving, standing } from './drawn-world.js';
import { faultCases } from './faults.js';

const numbers = [159, 160, 161, 162];

/** All of them, in all scenes and frames, are in test/long/truth-scenes.test.ts. */
const some = new Set(['right', 'left and right are swapped', 'times of arrival', 'not deskewed']);

describe('the points of a driver in the scene gate', () => {
  test.each(
    faultCases(['world'])
      .filter(({ name }) => some.has(name))
      .map((each) => [each.name, each.motion === standing ? 'standing' : 'driving', each] as const),
  )('%s, %s', (_, __, { motion, frame, fault, kind }) => {
    const scans = driverScans('gate', { motion, frame, fault, numbers });
    const { findings, verdict } = judge(scans, { frame, echoes: 'first', stamp: 'first' });
    expect(findings.map((finding) => finding.kind)).toEqual(kind === '' ? [] : [kind]);
    expect(verdict).toBe(kind === '' ? 'right' : 'wrong');
  });
});

describe('the echoes of a driver in the scene gate', () => {
  const kindsOf = (fault: DriverFault, echoes: EchoChoice | undefined) => {
    const scans = driverScans('gate', { motion: standing, frame: 'scanner', fault, numbers });
    return judge(scans, { frame: 'scanner', echoes, stamp: 'first' }).findings.map(({ kind }) => kind);
  };

  /** The empty room with a pane of glass 1 m in front of a wall. */
  const withGlass = () =>
    driverScans('empty-room', { motion: standing, frame: 'scanner', numbers }).map((scan) => {
      const beams = scan.truth.beams.map((beam, at) =>
        beam.range !== undefined && at > 200 && at < 300 ? { ...beam, glass: [beam.range - 1] } : beam,
      );
      const { number, firstAngle, angleAt } = scan.truth;
      const last = angleAt.call(scan.truth, beams.length - 1);
      const truth = new TrueScan(number, beams, { first: firstAngle, last });
      return { ...scan, truth, earlier: [truth] };
    });

  test('the last echo instead of the first is named, unless it is meant', () => {
    const judged = (echoes: EchoChoice | undefined) =>
      judge(withGlass(), { frame: 'scanner', echoes, stamp: 'first' }).findings.map(({ kind }) => kind);
    expect(judged(undefined)).toEqual(['last-echo']);
    expect(judged('first')).toEqual(['last-echo']);
    expect(judged('last')).toEqual([]);
  });

  test('echoes out of their order are named', () => {
    const withBehind = (order: (echo: number) => number): DriverFault => ({
      change: (points) =>
        points.flatMap((point) => [
          { ...point, echo: order(0) },
          { ...point, x: point.x * 1.0001, y: point.y * 1.0001, echo: order(1) },
        ]),
    });
    expect(
      kindsOf(
        withBehind((echo) => 1 - echo),
        'all',
      ),
    ).toContain('echo-order');
    expect(
      kindsOf(
        withBehind((echo) => echo),
        'all',
      ),
    ).not.toContain('echo-order');
  });

  test('a driver may begin in the middle of its first scan and end in that of its last one, but of no other', () => {
    const cut = (at: number, part: (points: DriverPoint[]) => DriverPoint[]): DriverFault => ({
      change: (points, number) => (number === numbers[at] ? part(points) : points),
    });
    const behind = (points: DriverPoint[]) => points.slice(400);
    const before = (points: DriverPoint[]) => points.slice(0, 400);
    expect(kindsOf(cut(0, behind), 'first')).toEqual([]);
    expect(kindsOf(cut(3, before), 'first')).toEqual([]);
    expect(kindsOf(cut(1, behind), 'first')).toEqual(['missing']);
    expect(kindsOf(cut(0, before), 'first')).toEqual(['missing']);
    expect(kindsOf(cut(3, behind), 'first')).toEqual(['missing']);
  });

  test('a scan that is given twice is named', () => {
    let first: DriverPoint[] = [];
    const change = (points: DriverPoint[], number: number) => {
      if (number === numbers[0]) first = points;
      return number === numbers[1]
        ? first.map((point, at) => ({ ...point, time: points[at]?.time ?? 0 }))
        : points;
    };
    expect(kindsOf({ change }, 'first')).toEqual(['repeated']);
  });

  test('scans of which only some are another one are named, and nothing else', () => {
    const all = [158, 159, 160, 161];
    const exchanged = (given: readonly DriverScan[], frame: PointFrame, from: (number: number) => number) => {
      const scans = given.map((scan, at) => {
        const other = given.find(({ truth }) => truth.number === from(scan.truth.number)) ?? scan;
        const time = scan.time.map(() => given[at]?.truth.begin ?? 0);
        return { ...scan, x: other.x, y: other.y, time, echoes: other.echoes };
      });
      const { findings, verdict } = judge(scans, { frame, echoes: 'first', stamp: 'first' });
      expect(verdict).toBe('wrong');
      return findings.map(({ kind }) => kind);
    };
    const swapped = (number: number) => (number % 2 === 0 ? number + 1 : number - 1);
    const everySecond = (number: number) => number - (number % 2);
    const kept = (number: number) => (number % 2 === 0 ? 158 : number);
    for (const [motion, frame] of [
      [standing, 'scanner'],
      [driving, 'begin'],
    ] as const) {
      const place = `${motion === standing ? 'standing' : 'driving'}, ${frame}`;
      const given = driverScans('warehouse-aisle', { motion, frame, numbers: all });
      if (motion === driving) expect(exchanged(given, frame, swapped), place).toEqual(['stale']);
      expect(exchanged(given, frame, everySecond), place).toEqual(['repeated']);
      expect(exchanged(given, frame, kept), place).toEqual(['repeated']);
    }
  });
});

test('what a scene does not decide is said, and not guessed', () => {
  const scans = driverScans('empty-room', { motion: standing, frame: 'scanner', numbers });
  const untimed = scans.map((scan) => ({ ...scan, time: scan.time.map(() => Number.NaN) }));
  const { verdict, undecided } = judge(untimed, { frame: 'scanner', echoes: 'first', stamp: 'first' });
  expect(verdict).toBe('right');
  expect(undecided.join()).toContain('whether they are those of the scan before');
});

test.each([
  [37e6, 'TAI'],
  [-37e6, 'TAI'],
  [2 * 3600e6, 'time zones'],
  [-5.5 * 3600e6, 'time zones'],
])('times that differ by %d µs have their cause in words', (late, words) => {
  const scans = driverScans('gate', { motion: standing, frame: 'scanner', numbers });
  const shifted = scans.map((scan) => ({ ...scan, time: scan.time.map((time) => time + late) }));
  const [finding] = judge(shifted, { frame: 'scanner', echoes: 'first', stamp: 'first' }).findings;
  expect(finding?.kind).toBe('times-of-another-clock');
  expect(finding?.text).toContain(words);
});

test.each([3, -2])(
  'beams that are counted wrongly by %d, also in their times, are turned, and nothing else',
  (by) => {
    const { truth } = driverScans('gate', { motion: standing, frame: 'scanner', numbers })[0] ?? {};
    if (truth === undefined) throw new Error('a scan expected');
    const fault = {
      placement: { turn: by * truth.angleStep },
      time: (time: number) => Math.round(time + by * truth.timeStep),
    };
    const scans = driverScans('gate', { motion: standing, frame: 'scanner', fault, numbers });
    const { findings } = judge(scans, { frame: 'scanner', echoes: 'first', stamp: 'first' });
    expect(findings.map(({ kind }) => kind)).toEqual(['turned']);
  },
);

test('docs/truth.md has a row for each kind of finding', () => {
  const page = readFileSync(new URL('../../../../docs/truth.md', import.meta.url), 'utf8');
  for (const kind of findingKinds) expect(page).toMatch(new RegExp(`^\\|[^|]*\`${kind}\``, 'm'));
});
