import { inFile, type Mutant } from './mutant.js';
import { compactMutants, msgpackMutants } from './stream-bytes.js';
import { motionMutants } from './stream-motion.js';

const encoders = 'packages/server/src/streams/telegram-encoders.ts';
const streams = 'packages/server/src/streams/data-streams.ts';
const oneStream = 'packages/server/src/streams/data-stream.ts';
const segments = 'packages/device/src/data-reduction/output-segments.ts';
const profiles = 'packages/model/src/performance-profile.ts';
const measuringState = 'packages/device/src/measuring/measuring-state.ts';

const orderMutants: readonly Mutant[] = [
  ...inFile(
    oneStream,
    [
      'stream.sequence',
      'this.#sequence += 1;\n    const route = this.#route;\n    const buffer',
      'this.#sequence += 2;\n    const route = this.#route;\n    const buffer',
    ],
    [
      'stream.sequence-while-off',
      "    this.#state = next;\n    if (before.kind === 'routed') before.route.close();",
      "    this.#state = next;\n    this.#sequence = 0;\n    if (before.kind === 'routed') before.route.close();",
    ],
  ),
  ...inFile(
    segments,
    ['stream.frame-number', 'this.frame = scan.number;', 'this.frame = scan.number * 2;'],
    ['stream.segment-index', '        index,\n        last:', '        index: index + 1,\n        last:'],
    ['stream.segments-join', 'beam < end; beam += increment', 'beam < end - 1; beam += increment'],
    ['stream.times-rise', 'Math.round(scan.time + this.#firstBeamAfter)', 'Math.round(scan.time)'],
    [
      'stream.segment-times-join',
      'Math.round(scan.time + this.#firstBeamAfter)',
      'Math.round(scan.time + this.#firstBeamAfter + 400)',
    ],
  ),
  ...inFile(
    encoders,
    [
      'stream.transmit-time',
      'telegram.transmitTime = Math.round(this.#measuring.microseconds())',
      'telegram.transmitTime = 1e9 - Math.round(this.#measuring.microseconds())',
    ],
    [
      'stream.transmit-time-clock',
      'telegram.transmitTime = Math.round(this.#measuring.microseconds())',
      'telegram.transmitTime = Math.round(this.#measuring.microseconds() / 1000)',
    ],
    ['stream.period', 'Math.round(segment.firstBeamTime)', 'Math.round(segment.firstBeamTime / 1000)'],
    [
      'stream.rate',
      'this.#measuring.watch({ segment: due })',
      'this.#measuring.watch({ segment: (segment) => (segment.frame % 2 === 0 ? due(segment) : undefined) })',
    ],
  ),
];

/** Other numbers in the lines of the table of profiles. */
const profileMutants: readonly Mutant[] = [
  [1, '1500', '5000', '2000', '2500'],
  [2, '1500', '3333', '1600', '2500'],
  [3, '2000', '1000', '2500', '2000'],
  [4, '2000', '2500', '1500', '3333'],
  [5, '2500', '2500', '2000', '5000'],
  [6, '3000', '1000', '4000', '2500'],
  [7, '4000', '2500', '5000', '5000'],
  [8, '5000', '2500', '4000', '5000'],
  [9, '1500', '500', '2000', '1000'],
  [10, '4000', '1250', '3000', '2500'],
  [11, '1500', '10_000', '2500', '5000'],
].flatMap(([number, frequency, resolution, otherFrequency, otherResolution]) => {
  const line = (one: string | number | undefined, other: string | number | undefined) =>
    `  ${number}: { frequency: ${one}, resolution: ${other} },`;
  const right = line(frequency, resolution);
  return inFile(
    profiles,
    [`stream.profile-${number}-frequency`, right, line(otherFrequency, resolution)],
    [`stream.profile-${number}-beams`, right, line(frequency, otherResolution)],
  );
});

/** Other times of beams at one frequency and one resolution. */
const profileTimeMutants: readonly Mutant[] = [
  [1, 15, 2],
  [2, 15, 3],
  [3, 20, 10],
  [4, 20, 4],
  [5, 25, 4],
  [6, 30, 10],
  [7, 40, 4],
  [8, 50, 4],
  [9, 15, 20],
  [10, 40, 8],
  [11, 15, 1],
].flatMap(([number, hertz, beamsPerDegree]) =>
  inFile('packages/device/src/scan/scan.ts', [
    `stream.profile-${number}-times`,
    'return (1_000_000 * step) / (360 * frequency);',
    `return (frequency === ${hertz} && Math.round(1 / step) === ${beamsPerDegree} ? 1.25 : 1) * ((1_000_000 * step) / (360 * frequency));`,
  ]),
);

const switched = '!parameters.has(enable) || !parameters.read(enable)';

const deliveryMutants: readonly Mutant[] = [
  ...inFile(
    oneStream,
    ['stream.old-destination', "!('key' in before) || before.key !== key", "!('key' in before)"],
    [
      'stream.begins',
      'if (hasReceiver === (state.stop !== undefined)) return;',
      'if (hasReceiver !== (state.stop !== undefined)) return;',
    ],
  ),
  ...inFile(
    streams,
    [
      'stream.imu-begins',
      'new ImuTelegrams(device), ImuDataEthSettings)',
      'new ImuTelegrams(device), EncoderDataEthSettings)',
    ],
    [
      'stream.encoder-begins',
      'new EncoderTelegrams(device), EncoderDataEthSettings)',
      'new EncoderTelegrams(device), ImuDataEthSettings)',
    ],
    ['stream.off', switched, '!parameters.has(enable)'],
    [
      'stream.imu-off',
      switched,
      `!parameters.has(enable) || (!parameters.read(enable) && enable.name !== 'ImuDataEnable')`,
    ],
    [
      'stream.encoder-off',
      switched,
      `!parameters.has(enable) || (!parameters.read(enable) && enable.name !== 'EncoderDataEnable')`,
    ],
    ['stream.destination', '  ScanDataEthSettings,\n  ScanDataFormat,', '  ScanDataFormat,'],
    ['stream.imu-destination', '  ImuDataEthSettings,\n  ...ros2Variables', '  ...ros2Variables'],
    [
      'stream.encoder-destination',
      '  EncoderDataEthSettings,\n  ImuDataEthSettings,',
      '  ImuDataEthSettings,',
    ],
    [
      'stream.independent-streams',
      'new ImuTelegrams(device), ImuDataEthSettings)',
      'new ImuTelegrams(device), ScanDataEthSettings)',
    ],
    [
      'stream.format-ros',
      'isNativeRos2(device.parameters)) return undefined;',
      'isNativeRos2(device.parameters)) telegrams.configure = () => undefined;',
    ],
  ),
  ...inFile(encoders, ['stream.format-lmdscandata', '[ScanDataFormat.LMDscandata]:', '[99]:']),
  ...inFile(
    measuringState,
    [
      'stream.stop-measuring',
      "'measuring is off', state !== 'measuring'",
      "'measuring is off', state === 'standby'",
    ],
    [
      'stream.standby',
      "'measuring is off', state !== 'measuring'",
      "'measuring is off', state === 'stopped'",
    ],
    [
      'stream.start-measuring',
      "if (!(state === 'stopped' && this.#state === 'standby')) this.#set(state);",
      "if (state !== 'measuring') this.#set(state);",
    ],
  ),
  ...inFile('packages/model/src/groups/measurement-data-output.ts', [
    'stream.port-zero',
    "Port: integer('uint16', { initial: port })",
    "Port: integer('uint16', { minimum: 1, initial: port })",
  ]),
  ...inFile('packages/model/src/types/array.ts', [
    'stream.multicast-scan',
    "...array(integer('uint8'), { minItems: 4, maxItems: 4, initial }),",
    "...array(integer('uint8', { maximum: 223 }), { minItems: 4, maxItems: 4 }),",
  ]),
  ...inFile(
    'packages/device/src/measurement-data-output/stream-settings.ts',
    [
      'stream.multicast-imu',
      "if (isFrom(firmware.release, '2.3.1')) return;",
      "if (!isFrom(firmware.release, '2.3.1')) return;",
    ],
    [
      'stream.multicast-encoder',
      "if (isFrom(firmware.release, '2.3.1')) return;",
      "if (isFrom(firmware.release, '2.3.1') && !change.touches([EncoderDataEthSettings])) return;",
    ],
    ['stream.no-multicast-imu', 'first < 224 ||', 'first < 255 ||'],
    [
      'stream.no-multicast-encoder',
      'for (const variable of [ImuDataEthSettings, EncoderDataEthSettings]) {',
      'for (const variable of [ImuDataEthSettings]) {',
    ],
  ),
];

/** Mutants of the area `stream`. */
export const streamMutants: readonly Mutant[] = [
  ...compactMutants,
  ...orderMutants,
  ...profileMutants,
  ...profileTimeMutants,
  ...msgpackMutants,
  ...motionMutants,
  ...deliveryMutants,
];
