import { readyScenes } from '@azimuth/simulation/world';
import { describe, expect, test } from 'vitest';
import { judge } from '../../src/truth/judgement.js';
import { pointFrames } from '../../src/truth/placement.js';
import { driverScans, standing } from '../truth/drawn-world.js';
import { faultCases } from '../truth/faults.js';

const numbers = [159, 160, 161, 162];

describe.each([...readyScenes])('the points of a driver in the scene %s', (scene) => {
  test.each(
    faultCases(pointFrames).map(
      (each) => [each.name, each.frame, each.motion === standing ? 'standing' : 'driving', each] as const,
    ),
  )('%s, frame %s, %s', (_, __, ___, { motion, frame, fault, kind }) => {
    const scans = driverScans(scene, { motion, frame, fault, numbers });
    const { findings } = judge(scans, { frame, echoes: 'first', stamp: 'first' });
    expect(findings.map((finding) => finding.kind)).toEqual(kind === '' ? [] : [kind]);
  });
});
