import { virtualIdentity } from '@azimuth/device';
import { basicSettings, dataReduction, EchoFilter, filter } from '@azimuth/model';
import { expect, test } from 'vitest';
import { LegacyScanner, seeing } from './legacy-scanner.js';

/**
 * The published response of a device of this type to `sRN LMDscandata`: framed, in binary. Its settings are profile 1,
 * long range, one echo, and a range of angles of three beams. The use of its ports is not published. No input and no
 * output is active in the response, so they are inputs here.
 */
const published = Buffer.from(
  [
    ['02020202', '00000077', '73524120 4c4d447363616e64617461 20', '0001', '0001', '01647218', '0000'],
    ['5989', '6997', 'bb9dc502', 'bb9e82cc', '0000', '0000', '0000', '000005dc', '00000000', '0000'],
    ['0001', '4449535431', '40000000', '00000000', '000de2b0', '1388', '0003', '0000', '3adb', '3ada'],
    ['0001', '5253534931', '3f800000', '00000000', '000de2b0', '1388', '0003', '00', '35', '39'],
    ['0000', '0000', '0000', '0000', '0000', 'bb'],
  ]
    .flat()
    .join('')
    .replaceAll(' ', ''),
  'hex',
);

/**
 * Positions of the numbers of telegram and scan and of both times: they differ from scan to scan. The last byte checks
 * all.
 */
const [counted, checked] = [
  [34, 46],
  [127, 128],
] as const;

function comparable(frame: Uint8Array): string {
  return Buffer.from(frame)
    .fill(0, ...counted)
    .fill(0, ...checked)
    .toString('hex');
}

test('a scanner that sees what the device saw answers byte for byte the same', async () => {
  const lmd = await LegacyScanner.open({ identity: virtualIdentity('23360024') });
  lmd.set(basicSettings.members.PerformanceProfileNumber, 1);
  lmd.set(basicSettings.members.EnableLongRangeMode, true);
  lmd.set(filter.members.FREchoFilter, EchoFilter.FIRST_ECHO);
  lmd.alter(dataReduction.members.LFPangleRangeFilter, {
    bEnable: true,
    fThetaStart: 10_000,
    fThetaStop: 20_000,
    uiBeamIncrement: 1,
  });
  // A beam each half a degree: 1° to 2° are the beams 278 to 280.
  const seen: Readonly<Record<number, readonly [number, number]>> = {
    279: [30_134, 53 * 257],
    280: [30_132, 57 * 257],
  };
  lmd.core.prepared = seeing((beam, echo) => (echo === 0 && seen[beam]) || [0, 0]);
  lmd.turns(2);
  const asked = lmd.scanData.poll('binary');
  lmd.turns(2);
  const answer = await asked;
  expect(answer?.length).toBe(published.length);
  expect(comparable(answer ?? new Uint8Array())).toBe(comparable(published));
});
