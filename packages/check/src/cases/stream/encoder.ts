import { call, get, sample, silence, stream, telegrams, write } from '../../steps/index.js';
import type { ConformanceCase } from '../case.js';
import { eachTelegram, is, step, streamCase } from './stream-case.js';

const place = 'guide: Compact';
const names = ['EncoderDataEnable'];
const take = { telegrams: 8 } as const;
/** A fixed speed: a tick of 1 mm in each ms. */
const fixedSpeed = { EncSetting: 4, EncResolution: 1 } as const;
const noEncoder = { EncSetting: 0 } as const;

/** Steps that take some telegrams of the encoder, and compare all. */
const encoderTelegrams = (
  fields: Parameters<typeof eachTelegram>[0],
  settings: Parameters<typeof sample>[1] = {},
) => [sample('encoder', settings, take, eachTelegram(fields, 8))];

/** The stream of the encoder: Compact, type 4. */
export const encoderCases: readonly ConformanceCase[] = [
  streamCase({
    id: 'stream.encoder-length',
    clause:
      'A telegram of the encoder has 88 bytes; its header says 52 for those between the header and the checksum.',
    ...{ place, level: 'must', names },
    steps: encoderTelegrams({ bytes: is(88), payloadBytes: is(52) }),
  }),
  streamCase({
    id: 'stream.encoder-type',
    clause: 'A telegram of the encoder begins with the marker and type 4.',
    ...{ place, level: 'must', names },
    steps: encoderTelegrams({ marker: is('0x02020202'), type: is(4) }),
  }),
  streamCase({
    id: 'stream.encoder-version',
    clause:
      'A telegram of the encoder has version 1 at byte 24: the sender counts in the length of its payload.',
    ...{ place, level: 'must', names },
    steps: encoderTelegrams({ version: is(1) }),
  }),
  streamCase({
    id: 'stream.encoder-checksum',
    clause: 'The last four bytes of a telegram of the encoder are the CRC-32 of everything before them.',
    ...{ place, level: 'must', names },
    steps: encoderTelegrams({ checksum: is('right') }),
  }),
  streamCase({
    id: 'stream.encoder-sender',
    clause: 'The sender of a telegram of the encoder is the serial number of the scanner.',
    ...{ place, level: 'must', names },
    steps: [
      get('SerialNumber', { status: 0 }, { save: { serial: 'data.SerialNumber' } }),
      ...encoderTelegrams({ sender: { isSaved: 'serial' } }),
    ],
  }),
  streamCase({
    id: 'stream.encoder-sequence',
    clause: 'The number of the telegram of the encoder rises by one with each telegram.',
    ...{ place, level: 'must', names },
    steps: encoderTelegrams({ sequenceStep: step(is(1)) }),
  }),
  streamCase({
    id: 'stream.encoder-frame',
    clause: 'The number of the reading rises by one with each telegram of the encoder.',
    place: 'family: recorded telegrams',
    ...{ level: 'must', names },
    steps: encoderTelegrams({ frameStep: step(is(1)) }),
  }),
  streamCase({
    id: 'stream.encoder-times',
    clause: 'The times of readings of the encoder are in µs, 40 ms apart.',
    place: 'family: recorded telegrams',
    ...{ level: 'must', names },
    steps: [
      sample('encoder', {}, take, eachTelegram({ timeStep: step({ from: 38_000, to: 42_000 }) }), {
        within: 5,
      }),
    ],
  }),
  streamCase({
    id: 'stream.encoder-rate',
    clause: 'The encoder sends 25 telegrams a second.',
    place: 'family: recorded telegrams',
    ...{ level: 'must', names },
    steps: [
      sample('encoder', {}, { seconds: 2 }, { has: { perSecond: { from: 21, to: 29 } } }, { within: 12 }),
    ],
  }),
  streamCase({
    id: 'stream.encoder-transmit-time',
    clause: 'The time of sending of telegrams of the encoder never falls.',
    ...{ place, level: 'must', names },
    steps: encoderTelegrams({ transmitStep: step({ from: 0, to: 200_000 }) }),
  }),
  streamCase({
    id: 'stream.encoder-fixed-speed',
    clause:
      'With the setting for a fixed speed, the ticks rise by 40 in 40 ms, and the speed is 1000, as recorded devices do.',
    place: 'family: recorded telegrams',
    ...{ level: 'should', names },
    steps: [
      sample(
        'encoder',
        fixedSpeed,
        take,
        eachTelegram({ ticksStep: step({ from: 39, to: 41 }), speed: is(1000) }),
        {
          within: 4,
        },
      ),
    ],
  }),
  streamCase({
    id: 'stream.encoder-resolution',
    clause:
      'EncResolution is the way of one tick: at the fixed speed, ticks of 2 mm rise half as fast as ticks of 1 mm.',
    place: 'guide: Encoder',
    ...{ level: 'should', names },
    steps: [
      sample(
        'encoder',
        { ...fixedSpeed, EncResolution: 2 },
        take,
        eachTelegram({ ticksStep: step({ from: 19, to: 21 }) }),
        { within: 4 },
      ),
    ],
  }),
  streamCase({
    id: 'stream.encoder-none',
    clause: 'With the encoder off, telegrams are sent, and their ticks stay as they are with the speed 0.',
    place: 'guide: Encoder',
    ...{ level: 'should', names },
    steps: [
      sample('encoder', noEncoder, take, eachTelegram({ ticksStep: step(is(0)), speed: is(0) }), {
        within: 4,
      }),
    ],
  }),
  streamCase({
    id: 'stream.encoder-reset',
    clause: 'mResetEncoderIncrement sets the ticks to 0.',
    place: 'specification: Measurement data output',
    ...{ level: 'must', names },
    steps: [
      stream('encoder', fixedSpeed),
      telegrams('encoder', { telegrams: 25 }, eachTelegram({})),
      write('EncSetting', 0),
      call('mResetEncoderIncrement', undefined),
      telegrams('encoder', take, eachTelegram({ ticks: is(0) }), { within: 3 }),
    ],
  }),
  streamCase({
    id: 'stream.encoder-references',
    clause: 'Ticks and times of reference signals are 0 before the first of them.',
    place: 'family: recorded telegrams',
    ...{ level: 'informational', names },
    steps: encoderTelegrams({ references: is([0, 0]), referenceTimes: is([0, 0]) }),
  }),
  streamCase({
    id: 'stream.encoder-off',
    clause: 'After EncoderDataEnable was set to false, no telegram of the encoder is sent.',
    place: 'specification: Measurement data output',
    ...{ level: 'must', names },
    steps: [
      stream('encoder'),
      telegrams('encoder', take, eachTelegram({})),
      write('EncoderDataEnable', false),
      silence('encoder', 1),
    ],
  }),
  streamCase({
    id: 'stream.encoder-destination',
    clause:
      'A change of EncoderDataEthSettings takes effect while the stream is on: telegrams go to the new port only.',
    place: 'Azimuth: Data streams',
    ...{ level: 'should', names },
    steps: [
      stream('encoder'),
      telegrams('encoder', take, eachTelegram({})),
      stream('encoder', {}, 'second'),
      telegrams('second', take, eachTelegram({})),
      silence('encoder', 1),
    ],
  }),
];
