import { spawnSync } from 'node:child_process';
import { type McapMessage, readMcap, ScannerRecording } from '@azimuth/bridge/mcap';
import { decodeTelegram, encodeCompactScan, encodeImu } from '@azimuth/telegrams';
import { expect, test } from 'vitest';
import { buildPrograms, pathOf } from './build.js';

buildPrograms('cyclonedds-decoder');

const time = 1_700_000_000_000_000;

/** Settings of CycloneDDS: it uses no network. */
const onThisComputer =
  '<General><Interfaces><NetworkInterface address="127.0.0.1"/></Interfaces><AllowMulticast>false</AllowMulticast></General>';

/** A frame of three beams, of which the last one sees nothing, and a motion. */
const telegrams = [0, 1].flatMap((frame) => [
  encodeCompactScan({
    ...{ sequence: frame, transmitTime: time },
    modules: [
      {
        ...{ segmentIndex: 0, frameNumber: frame, sender: 7, rows: 1, columns: 3, echoes: 1, elevation: [0] },
        ...{ firstBeamTime: [time], lastBeamTime: [time + 10_000], firstAzimuth: [-1], lastAzimuth: [1] },
        ...{ scale: 1, availability: 0, distance: Float32Array.of(1000, 2000, 0), rssi: new Uint16Array(3) },
      },
    ],
  }),
  encodeImu({ acceleration: [0, 0, 9.75], angularVelocity: [0, 0, 0], orientation: [1, 0, 0, 0], time }),
]);

function recordedMessages(): readonly McapMessage[] {
  const pieces: Uint8Array[] = [];
  const recording = new ScannerRecording((bytes) => pieces.push(bytes), { library: 'azimuth' });
  for (const bytes of telegrams) recording.add({ bytes, time, telegram: decodeTelegram(bytes) });
  recording.end();
  const bytes = Buffer.concat(pieces);
  const source = { length: bytes.length, part: (start: number, end: number) => bytes.subarray(start, end) };
  return [...readMcap(source)].flatMap((item) => (item.kind === 'message' ? item : []));
}

test('CycloneDDS decodes each message of a recording by its own definitions', () => {
  const input = recordedMessages()
    .filter(({ encoding }) => encoding === 'cdr')
    .flatMap(({ schema, data }) => [`${schema?.name.split('/').at(-1)} ${data.length}\n`, data]);
  const { stdout, status } = spawnSync(pathOf('cyclonedds-decoder'), {
    input: Buffer.concat(input.map((part) => (typeof part === 'string' ? Buffer.from(part) : part))),
    encoding: 'utf8',
    timeout: 20_000,
    env: { ...process.env, CYCLONEDDS_URI: onThisComputer },
  });
  expect(status).toBe(0);
  expect([...new Set(stdout.trim().split('\n'))].sort()).toEqual([
    'Imu picoScan_ 9.75',
    'LaserScan picoScan_ 3',
    'MultiEchoLaserScan picoScan_ 3',
    'PointCloud2 picoScan_ 2',
    'TFMessage picoScan_ 1',
  ]);
});
