import { sample, silence, stream, telegrams, write } from '../../steps/index.js';
import type { ConformanceCase } from '../case.js';
import { eachTelegram, is, step, streamCase } from './stream-case.js';

const place = 'guide: IMU';
const names = ['ImuDataEnable'];
const take = { telegrams: 12 } as const;

/** Steps that take some telegrams of the IMU, and compare all. */
const imuTelegrams = (fields: Parameters<typeof eachTelegram>[0]) => [
  sample('imu', {}, take, eachTelegram(fields, 12)),
];

/** The stream of the inertial measurement unit: Compact, type 2. */
export const imuCases: readonly ConformanceCase[] = [
  streamCase({
    id: 'stream.imu-length',
    clause: 'A telegram of the IMU has 64 bytes.',
    ...{ place, level: 'must', names },
    steps: imuTelegrams({ bytes: is(64) }),
  }),
  streamCase({
    id: 'stream.imu-type',
    clause: 'A telegram of the IMU begins with the marker and type 2.',
    ...{ place, level: 'must', names },
    steps: imuTelegrams({ marker: is('0x02020202'), type: is(2) }),
  }),
  streamCase({
    id: 'stream.imu-version',
    clause: 'A telegram of the IMU has version 1 at byte 8.',
    ...{ place, level: 'must', names },
    steps: imuTelegrams({ version: is(1) }),
  }),
  streamCase({
    id: 'stream.imu-checksum',
    clause: 'The last four bytes of a telegram of the IMU are the CRC-32 of the 60 bytes before them.',
    ...{ place, level: 'must', names },
    steps: imuTelegrams({ checksum: is('right') }),
  }),
  streamCase({
    id: 'stream.imu-times',
    clause: 'The times of readings of the IMU are in µs, 10 ms apart.',
    place: 'family: recorded telegrams',
    ...{ level: 'must', names },
    steps: [
      sample('imu', {}, { telegrams: 30 }, eachTelegram({ timeStep: step({ from: 9000, to: 11_000 }) }, 30), {
        within: 5,
      }),
    ],
  }),
  streamCase({
    id: 'stream.imu-rate',
    clause: 'The IMU sends 100 telegrams a second.',
    place: 'family: recorded telegrams',
    ...{ level: 'must', names },
    steps: [sample('imu', {}, { seconds: 1 }, { has: { perSecond: { from: 85, to: 115 } } }, { within: 10 })],
  }),
  streamCase({
    id: 'stream.imu-orientation',
    clause: 'The orientation is a quaternion of the length 1.',
    ...{ place, level: 'must', names },
    steps: imuTelegrams({ norm: { from: 0.98, to: 1.02 } }),
  }),
  streamCase({
    id: 'stream.imu-acceleration',
    clause: 'The acceleration is in m/s², and gravity is in it: at rest it is about 9.81.',
    ...{ place, level: 'should', names },
    steps: imuTelegrams({ magnitude: { from: 4, to: 30 } }),
  }),
  streamCase({
    id: 'stream.imu-angular-velocity',
    clause: 'The angular velocity is in rad/s.',
    ...{ place, level: 'informational', names },
    steps: imuTelegrams({ angularVelocity: { items: { from: -35, to: 35 }, atLeast: 3, atMost: 3 } }),
  }),
  streamCase({
    id: 'stream.imu-off',
    clause: 'After ImuDataEnable was set to false, no telegram of the IMU is sent.',
    place: 'specification: IMU data output',
    ...{ level: 'must', names },
    steps: [
      stream('imu'),
      telegrams('imu', take, eachTelegram({})),
      write('ImuDataEnable', false),
      silence('imu', 1),
    ],
  }),
  streamCase({
    id: 'stream.imu-destination',
    clause:
      'A change of ImuDataEthSettings takes effect while the stream is on: telegrams go to the new port only.',
    place: 'Azimuth: Data streams',
    ...{ level: 'should', names },
    steps: [
      stream('imu'),
      telegrams('imu', take, eachTelegram({})),
      stream('imu', {}, 'second'),
      telegrams('second', take, eachTelegram({})),
      silence('imu', 1),
    ],
  }),
  streamCase({
    id: 'stream.imu-format',
    clause: 'IMU data is in Compact, also if scan data is in MSGPACK.',
    place: 'guide: MSGPACK',
    ...{ level: 'must', names },
    steps: [sample('imu', { ScanDataFormat: 1 }, take, eachTelegram({ bytes: is(64) }, 12))],
  }),
];
