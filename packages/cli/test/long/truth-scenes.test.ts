import { env } from 'node:process';
import { readyScenes } from '@azimuth/simulation/world';
import { describe, expect, test } from 'vitest';
import { judge } from '../../src/truth/judgement.js';
import { pointFrames } from '../../src/truth/placement.js';
import { driverScans, standing } from '../truth/drawn-world.js';
import { faultCases } from '../truth/faults.js';

const numbers = [159, 160, 161, 162];

/** All cases in all scenes: npm run campaign truth. */
const isFull = env.AZIMUTH_TRUTH_CASES === 'all';

const cases = faultCases(pointFrames).map(
  (each) => [each.name, each.frame, each.motion === standing ? 'standing' : 'driving', each] as const,
);

const names = [...new Set(cases.map(([name]) => name))];

/** Of each fault one case in every second scene, in other frames each time; a right driver in all. */
const chosen = (scene: number) =>
  cases.filter(([name], at) => {
    const place = cases.slice(0, at).filter(([other]) => other === name).length;
    const isSome = (place + scene) % readyScenes.length === 0 && (names.indexOf(name) + scene) % 2 === 0;
    return isFull || name === 'right' || isSome;
  });

describe.each([...readyScenes].map((scene, at) => [scene, chosen(at)] as const))(
  'the points of a driver in the scene %s',
  (scene, some) => {
    test.each(some)('%s, frame %s, %s', (_, __, ___, { motion, frame, fault, kind }) => {
      const scans = driverScans(scene, { motion, frame, fault, numbers });
      const { findings } = judge(scans, { frame, echoes: 'first', stamp: 'first' });
      expect(findings.map((finding) => finding.kind)).toEqual(kind === '' ? [] : [kind]);
    });
  },
);
