import { inFile, type Mutant } from './mutant.js';

const encoders = 'packages/server/src/streams/telegram-encoders.ts';

/** Mutants of the streams of the IMU and the encoder. */
export const motionMutants: readonly Mutant[] = [
  ...inFile(
    'packages/telegrams/src/compact/imu.ts',
    ['stream.imu-length', 'outputFor(imuAt.bytes, target)', 'outputFor(imuAt.bytes + 4, undefined)'],
    ['stream.imu-version', 'imuVersion = 1', 'imuVersion = 2'],
    [
      'stream.imu-checksum',
      'crc32(bytes.subarray(0, imuAt.crc)), true)',
      'crc32(bytes.subarray(8, imuAt.crc)), true)',
    ],
    [
      'stream.imu-orientation',
      'imuAt.orientation, telegram.orientation)',
      'imuAt.orientation, telegram.orientation.map((one) => one * 2))',
    ],
    [
      'stream.imu-acceleration',
      'imuAt.acceleration, telegram.acceleration)',
      'imuAt.acceleration, telegram.acceleration.map((one) => one / 9.81))',
    ],
  ),
  ...inFile(
    'packages/device/src/imu-data-output/imu.ts',
    ['stream.imu-rate', 'readingsPerSecond = 100', 'readingsPerSecond = 50'],
    [
      'stream.imu-while-stopped',
      'return this.#pulse.watch(listener);',
      "return this.#pulse.watch((one) => (this.#options.measuring.state === 'measuring' ? listener(one) : undefined));",
    ],
  ),
  ...inFile(
    encoders,
    [
      'stream.imu-times',
      '...motion, time: time + this.#device',
      '...motion, time: Math.round(time / 1000) + this.#device',
    ],
    [
      'stream.imu-format',
      '    return 64;',
      '    return this.#device.parameters.read(members.ScanDataFormat) === 1 ? 0 : 64;',
    ],
    [
      'stream.encoder-times',
      'const time = reading.time + offset;',
      'const time = Math.round(reading.time / 1000) + offset;',
    ],
    [
      'stream.encoder-transmit-time',
      'const transmitTime = Math.round(measuring.microseconds())',
      'const transmitTime = 1e9 - Math.round(measuring.microseconds())',
    ],
  ),
  ...inFile(
    'packages/telegrams/src/compact/encoder.ts',
    ['stream.encoder-length', 'offsetsOf(payloadLayout).bytes;', 'offsetsOf(payloadLayout).bytes - 4;'],
    ['stream.encoder-version', 'encoderVersion = 1', 'encoderVersion = 2'],
    [
      'stream.encoder-checksum',
      'crc32(bytes.subarray(0, encoderAt.crc)), true)',
      'crc32(bytes.subarray(32, encoderAt.crc)), true)',
    ],
    [
      'stream.encoder-sender',
      'view.setUint32(encoderAt.sender, telegram.sender, true);',
      'view.setUint32(encoderAt.sender, telegram.sender, false);',
    ],
    [
      'stream.encoder-sequence',
      '    sequence,\n    transmitTime,\n    version: encoderVersion',
      '    sequence: 1,\n    transmitTime,\n    version: encoderVersion',
    ],
  ),
  ...inFile(
    'packages/device/src/measurement-data-output/encoder.ts',
    ['stream.encoder-frame', 'this.#frame += 1;', 'this.#frame += 2;'],
    ['stream.encoder-rate', 'readingsPerSecond = 25', 'readingsPerSecond = 20'],
    ['stream.encoder-fixed-speed', 'fixedVelocity = 1000', 'fixedVelocity = 100'],
    [
      'stream.encoder-resolution',
      'speed === 0 ? 0 : speed / this.#options.parameters.read(EncResolution)',
      'speed',
    ],
    ['stream.encoder-none', 'EncoderMode.TX_OFF) return 0;', 'EncoderMode.TX_OFF) return 500;'],
    ['stream.encoder-reset', '  reset(): void {\n    this.#ticks = 0;\n', '  reset(): void {\n'],
    [
      'stream.encoder-while-stopped',
      'return this.#pulse.watch(listener);',
      'return this.#pulse.watch((one) => (this.#options.measuring.state === "measuring" ? listener(one) : undefined));',
    ],
  ),
];
