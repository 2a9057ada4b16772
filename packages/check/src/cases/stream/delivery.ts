import { call, get, sample, silence, stream, telegrams, write } from '../../steps/index.js';
import type { ConformanceCase } from '../case.js';
import { eachTelegram, is, streamCase, unfiltered } from './stream-case.js';

const place = 'guide: Compact';
const own = 'Azimuth: Data streams';
const take = { scans: 1 } as const;
/** An address of a group that no computer has. */
const group = { Protocol: 1, IPAddress: [239, 255, 77, 77], Port: 2115 } as const;
/** A method of measuring succeeds. */
const done = { status: 0, data: { has: { ErrorCode: is(0) } } } as const;

/** When streams send, and where to. */
export const deliveryCases: readonly ConformanceCase[] = [
  streamCase({
    id: 'stream.begins',
    clause: 'Telegrams come within 3 s after ScanDataEnable was set to true.',
    place: 'family: receivers',
    level: 'must',
    steps: [
      sample(
        'scan',
        { ...unfiltered, ScanDataEnable: false },
        { seconds: 3 },
        eachTelegram({ kind: is('scan') }),
      ),
    ],
  }),
  streamCase({
    id: 'stream.imu-begins',
    clause:
      'Telegrams of the IMU come to the address and the port of ImuDataEthSettings, once ImuDataEnable is true.',
    place: 'specification: Streams',
    level: 'must',
    names: ['ImuDataEnable'],
    steps: [sample('imu', {}, { seconds: 3 }, eachTelegram({ kind: is('imu') }))],
  }),
  streamCase({
    id: 'stream.encoder-begins',
    clause:
      'Telegrams of the encoder come to the address and the port of EncoderDataEthSettings, once EncoderDataEnable is true.',
    place: 'specification: Streams',
    level: 'must',
    names: ['EncoderDataEnable'],
    steps: [sample('encoder', {}, { seconds: 3 }, eachTelegram({ kind: is('encoder') }))],
  }),
  streamCase({
    id: 'stream.off',
    clause: 'After ScanDataEnable was set to false, no telegram of scan data is sent.',
    place: 'specification: Measurement data output',
    level: 'must',
    steps: [
      stream('scan', unfiltered),
      telegrams('scan', take, eachTelegram({})),
      write('ScanDataEnable', false),
      silence('scan', 1),
    ],
  }),
  streamCase({
    id: 'stream.destination',
    clause:
      'A change of ScanDataEthSettings takes effect while the stream is on: telegrams go to the new port.',
    place: own,
    level: 'should',
    steps: [
      stream('scan', unfiltered),
      telegrams('scan', take, eachTelegram({})),
      stream('scan', unfiltered, 'second'),
      telegrams('second', take, eachTelegram({})),
    ],
  }),
  streamCase({
    id: 'stream.old-destination',
    clause: 'After a change of ScanDataEthSettings, nothing is sent to the port before it.',
    place: own,
    level: 'should',
    steps: [
      stream('scan', unfiltered),
      telegrams('scan', take, eachTelegram({})),
      stream('scan', unfiltered, 'second'),
      silence('scan', 1),
    ],
  }),
  streamCase({
    id: 'stream.to-compact',
    clause: 'A change of ScanDataFormat from MSGPACK to Compact takes effect while the stream is on.',
    place: own,
    level: 'should',
    steps: [
      stream('scan', { ...unfiltered, ScanDataFormat: 1 }),
      telegrams('scan', take, eachTelegram({ format: is('MSGPACK') })),
      write('ScanDataFormat', 2),
      telegrams('scan', take, eachTelegram({ format: is('Compact') })),
    ],
  }),
  streamCase({
    id: 'stream.format-lmdscandata',
    clause:
      'With the format LMDscandata, the UDP stream sends nothing: these telegrams go to the legacy interfaces.',
    place: 'guide: LMDscandata',
    level: 'should',
    steps: [stream('scan', { ...unfiltered, ScanDataFormat: 3 }), silence('scan', 1)],
  }),
  streamCase({
    id: 'stream.format-ros',
    clause: 'With the format NativeROS2, nothing is sent to the destination of scan data.',
    place: 'guide: Native ROS 2',
    level: 'should',
    releases: { since: '2.2.0' },
    steps: [stream('scan', { ...unfiltered, ScanDataFormat: 4 }), silence('scan', 1)],
  }),
  streamCase({
    id: 'stream.stop-measuring',
    clause: 'After mStopMeasure, no telegram of scan data is sent.',
    place: 'specification: Basic settings',
    level: 'must',
    steps: [
      stream('scan', unfiltered),
      telegrams('scan', take, eachTelegram({})),
      call('mStopMeasure', undefined, done),
      silence('scan', 1),
    ],
    cleanup: [call('mStartMeasure', undefined)],
  }),
  streamCase({
    id: 'stream.start-measuring',
    clause: 'After mStartMeasure, telegrams of scan data are sent again.',
    place: 'specification: Basic settings',
    level: 'must',
    steps: [
      stream('scan', unfiltered),
      call('mStopMeasure', undefined, done),
      silence('scan', 0.2),
      call('mStartMeasure', undefined, done),
      telegrams('scan', take, eachTelegram({}), { within: 20 }),
    ],
    cleanup: [call('mStartMeasure', undefined)],
  }),
  streamCase({
    id: 'stream.standby',
    clause: 'After mStandby, no telegram of scan data is sent, until measuring is started again.',
    place: 'specification: Basic settings',
    level: 'must',
    steps: [
      stream('scan', unfiltered),
      telegrams('scan', take, eachTelegram({})),
      call('mStandby', undefined, done),
      silence('scan', 1),
      call('mStartMeasure', undefined, done),
      telegrams('scan', take, eachTelegram({}), { within: 20 }),
    ],
    cleanup: [call('mStartMeasure', undefined)],
  }),
  streamCase({
    id: 'stream.imu-while-stopped',
    clause: 'IMU data is sent also while measuring is stopped.',
    place: own,
    level: 'should',
    names: ['ImuDataEnable'],
    steps: [
      stream('imu'),
      call('mStopMeasure', undefined, done),
      telegrams('imu', { telegrams: 12 }, eachTelegram({ type: is(2) })),
    ],
    cleanup: [call('mStartMeasure', undefined)],
  }),
  streamCase({
    id: 'stream.encoder-while-stopped',
    clause: 'Encoder data is sent also while measuring is stopped.',
    place: own,
    level: 'should',
    names: ['EncoderDataEnable'],
    steps: [
      stream('encoder'),
      call('mStopMeasure', undefined, done),
      telegrams('encoder', { telegrams: 8 }, eachTelegram({ type: is(4) })),
    ],
    cleanup: [call('mStartMeasure', undefined)],
  }),
  streamCase({
    id: 'stream.independent-streams',
    clause: 'Each stream has a destination of its own, and sends no telegrams of the others.',
    place: 'specification: Streams',
    level: 'must',
    names: ['ImuDataEnable'],
    steps: [
      stream('scan', unfiltered),
      stream('imu'),
      telegrams('scan', take, eachTelegram({ kind: is('scan') })),
      telegrams('imu', { telegrams: 12 }, eachTelegram({ kind: is('imu') })),
    ],
  }),
  streamCase({
    id: 'stream.port-zero',
    clause: 'A destination with port 0 is accepted, and nothing is sent.',
    place: own,
    level: 'should',
    steps: [
      stream('scan', unfiltered),
      write('ScanDataEthSettings', { Protocol: 1, IPAddress: [127, 0, 0, 1], Port: 0 }),
      silence('scan', 0.5),
    ],
  }),
  streamCase({
    id: 'stream.multicast-scan',
    clause: 'The destination of scan data may be a multicast address.',
    place,
    level: 'must',
    steps: [write('ScanDataEthSettings', group)],
  }),
  streamCase({
    id: 'stream.multicast-imu',
    clause: 'The destination of IMU data may be a multicast address (from release 2.3.1 on).',
    place: 'specification: Streams',
    level: 'must',
    names: ['ImuDataEthSettings'],
    releases: { since: '2.3.1' },
    steps: [write('ImuDataEthSettings', group)],
  }),
  streamCase({
    id: 'stream.multicast-encoder',
    clause: 'The destination of encoder data may be a multicast address (from release 2.3.1 on).',
    place: 'specification: Streams',
    level: 'must',
    names: ['EncoderDataEthSettings'],
    releases: { since: '2.3.1' },
    steps: [write('EncoderDataEthSettings', group)],
  }),
  streamCase({
    id: 'stream.no-multicast-imu',
    clause: 'Before release 2.3.1, a multicast address as the destination of IMU data is refused.',
    place: 'specification: Streams',
    level: 'should',
    names: ['ImuDataEthSettings'],
    releases: { until: '2.3.1' },
    steps: [
      get('ImuDataEthSettings', { status: 0 }, { save: { before: 'data.ImuDataEthSettings' } }),
      write('ImuDataEthSettings', group, { status: [6, 7, 9] }),
      get('ImuDataEthSettings', { data: { has: { ImuDataEthSettings: { isSaved: 'before' } } } }),
    ],
  }),
  streamCase({
    id: 'stream.no-multicast-encoder',
    clause: 'Before release 2.3.1, a multicast address as the destination of encoder data is refused.',
    place: 'specification: Streams',
    level: 'should',
    names: ['EncoderDataEthSettings'],
    releases: { until: '2.3.1' },
    steps: [
      get('EncoderDataEthSettings', { status: 0 }, { save: { before: 'data.EncoderDataEthSettings' } }),
      write('EncoderDataEthSettings', group, { status: [6, 7, 9] }),
      get('EncoderDataEthSettings', { data: { has: { EncoderDataEthSettings: { isSaved: 'before' } } } }),
    ],
  }),
];
