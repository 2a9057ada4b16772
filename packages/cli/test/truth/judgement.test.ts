import { describe, expect, test } from 'vitest';
import { judge } from '../../src/truth/judgement.js';
import { driverScans, standing } from './drawn-world.js';
import { faultCases } from './faults.js';

const numbers = [159, 160, 161, 162];

/** One of each kind. All of them, in all scenes and frames, are in test/long/truth-scenes.test.ts. */
const some = new Set([
  'right',
  'left and right are swapped',
  'turned by a beam',
  '1 % too long',
  'a wrong lever arm',
  'the middle is missing',
  'every point twice',
  'times of the last beam',
  'times of arrival',
  'every third beam',
  'the points of the scan before',
  'not deskewed',
  'deskewed the wrong way round',
  'deskewed with the time of the last beam',
]);

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
