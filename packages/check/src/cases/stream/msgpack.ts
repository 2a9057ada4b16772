import { get, sample, stream, telegrams, write } from '../../steps/index.js';
import type { ConformanceCase } from '../case.js';
import {
  about,
  eachTelegram,
  is,
  scanTelegrams,
  unfilteredMsgpack as settings,
  step,
  streamCase,
  wholeScans,
} from './stream-case.js';

const place = 'guide: MSGPACK';
/** Keys of a segment and of a layer, as recorded devices send them. */
const segmentKeys = '0x91 0x92 0x93 0x94 0x96 0xa0 0xb0 0xb1';
const layerKeys = '0x50 0x51 0x52 0x53 0x54 0x71 0x72 0x73 0x74 0x75 0x76 0x77 0x78';

/** MSGPACK: the bytes of a segment of a scan. */
export const msgpackCases: readonly ConformanceCase[] = [
  streamCase({
    id: 'stream.msgpack-marker',
    clause:
      'A telegram in MSGPACK begins with four bytes of the value 2. Then comes the length of its payload.',
    place,
    level: 'must',
    steps: scanTelegrams({ marker: is('0x02020202'), format: is('MSGPACK') }, settings),
  }),
  streamCase({
    id: 'stream.msgpack-length',
    clause:
      'The length (32 bits, little-endian) is that of the payload alone, without marker, length and checksum.',
    place,
    level: 'must',
    steps: scanTelegrams({ undeclaredBytes: is(0), spareBytes: is(0) }, settings),
  }),
  streamCase({
    id: 'stream.msgpack-checksum',
    clause: 'The last four bytes are the CRC-32 (little-endian) of the payload alone, unlike in Compact.',
    place,
    level: 'must',
    steps: scanTelegrams({ checksum: is('right') }, settings),
  }),
  streamCase({
    id: 'stream.msgpack-classes',
    clause:
      'The payload is an object of the class 0x90 (segment), and each of its layers one of the class 0x70.',
    place,
    level: 'must',
    steps: scanTelegrams({ class: is(0x90), layerClass: is(0x70) }, settings),
  }),
  streamCase({
    id: 'stream.msgpack-head',
    clause:
      'The payload begins as that of recorded devices: a map of class and data, the class in 8 bits, then a map of 8 members.',
    place: 'family: recorded telegrams',
    level: 'should',
    steps: scanTelegrams({ head: is('8210cc901188ccb0') }, settings),
  }),
  streamCase({
    id: 'stream.msgpack-segment-keys',
    clause:
      'A segment has the members of recorded devices: counters, times, sender, numbers of layers, and the layers.',
    place,
    level: 'must',
    steps: scanTelegrams({ segmentKeys: is(segmentKeys) }, settings),
  }),
  streamCase({
    id: 'stream.msgpack-layer-keys',
    clause:
      'A layer has the members of recorded devices, also the properties: a receiver in the field ends without them.',
    place,
    level: 'must',
    steps: scanTelegrams({ layerKeys: is(layerKeys) }, settings),
  }),
  streamCase({
    id: 'stream.msgpack-layers',
    clause: 'A 2D scanner sends one layer. Layers are numbered from 1.',
    place,
    level: 'must',
    steps: scanTelegrams({ layers: is(1), layerIds: is([1]) }, settings),
  }),
  streamCase({
    id: 'stream.msgpack-arrays',
    clause:
      'Arrays say their number of elements, bytes of an element, byte order (0x30, little-endian) and type: azimuths, elevation and distances are floats of 32 bits, strengths have 16 bits, and properties 8.',
    place,
    level: 'must',
    steps: scanTelegrams(
      {
        arrays: is({
          azimuth: '4 bytes, order 0x30, types 0x31',
          elevation: '4 bytes, order 0x30, types 0x31',
          distance: '4 bytes, order 0x30, types 0x31',
          rssi: '2 bytes, order 0x30, types 0x34',
          properties: '1 bytes, order 0x30, types 0x33',
        }),
      },
      settings,
    ),
  }),
  streamCase({
    id: 'stream.msgpack-echoes',
    clause:
      'Distances and signal strengths have one array for each echo, and the number of echoes says how many.',
    place,
    level: 'must',
    names: ['FREchoFilter'],
    steps: scanTelegrams({ echoes: is(3), distanceArrays: is(3), rssiArrays: is(3) }, settings),
  }),
  streamCase({
    id: 'stream.msgpack-properties',
    clause:
      'Properties have one array for each echo: a receiver in the field reads as many as there are echoes.',
    place: 'family: receivers',
    level: 'should',
    names: ['FREchoFilter'],
    steps: scanTelegrams({ propertyArrays: is(3) }, settings),
  }),
  streamCase({
    id: 'stream.msgpack-beams',
    clause:
      'The number of beams is that of the items of each array: 90 in a segment of 30° with a third of a degree.',
    place,
    level: 'must',
    names: ['PerformanceProfileNumber'],
    steps: [
      sample(
        'scan',
        settings,
        { scans: 1 },
        { has: { scans: { items: { has: { beams: is(829) } }, atLeast: 1 } } },
        { within: 20 },
      ),
    ],
  }),
  streamCase({
    id: 'stream.msgpack-sender',
    clause: 'The sender in a telegram in MSGPACK is the serial number of the scanner.',
    place,
    level: 'must',
    steps: [
      get('SerialNumber', { status: 0 }, { save: { serial: 'data.SerialNumber' } }),
      ...scanTelegrams({ sender: { isSaved: 'serial' } }, settings),
    ],
  }),
  streamCase({
    id: 'stream.msgpack-sequence',
    clause: 'The number of the telegram in MSGPACK (0xB0) rises by one with each telegram.',
    place,
    level: 'must',
    steps: scanTelegrams({ sequenceStep: step(is(1)) }, settings),
  }),
  streamCase({
    id: 'stream.msgpack-segments',
    clause: 'Segments in MSGPACK (0x91) are counted from 0 in each scan, and scans (0x92) one by one.',
    place,
    level: 'must',
    names: ['PerformanceProfileNumber'],
    steps: wholeScans({ segments: is([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]), frameStep: is(1) }, settings),
  }),
  streamCase({
    id: 'stream.msgpack-times',
    clause:
      'A layer has the times of its first (0x71) and its last beam (0x72), and a segment the time of sending (0xB1), in µs of one clock.',
    place,
    level: 'must',
    names: ['PerformanceProfileNumber'],
    steps: scanTelegrams(
      {
        beamInterval: about(61.7, 0.03),
        transmitStep: step({ from: 0, to: 1_000_000 }),
        sentAfterFirstBeam: { from: -20_000, to: 200_000 },
      },
      settings,
    ),
  }),
  streamCase({
    id: 'stream.msgpack-azimuths',
    clause:
      'Azimuths in MSGPACK are in rad: the first (0x73) and the last (0x74) of a layer, and one for each beam (0x50). Those of beams are evenly between them.',
    place,
    level: 'must',
    steps: [
      sample(
        'scan',
        settings,
        { scans: 1 },
        {
          has: {
            telegrams: { items: { has: { unevenness: { from: 0, to: 0.002 } } }, atLeast: 8 },
            scans: {
              items: {
                has: {
                  firstAzimuth: { from: -138.01, to: -137.99 },
                  lastAzimuth: { from: 137.66, to: 138.01 },
                },
              },
              atLeast: 1,
            },
          },
        },
      ),
    ],
  }),
  streamCase({
    id: 'stream.msgpack-elevation',
    clause:
      'The elevation (0x51) is an array of one float, 0 on a 2D scanner, and the number of the module (0x76) is 0.',
    place,
    level: 'should',
    steps: scanTelegrams({ elevation: is(0), moduleId: is(0) }, settings),
  }),
  streamCase({
    id: 'stream.msgpack-availability',
    clause: 'The availability of a segment (0x93) is true, or 1: the sources give both.',
    place,
    level: 'should',
    steps: scanTelegrams({ availability: { oneOf: [true, 1] } }, settings),
  }),
  streamCase({
    id: 'stream.msgpack-strengths',
    clause:
      'Signal strengths in MSGPACK are those of Compact: 257 times as large as measured, and 0 without an echo.',
    place,
    level: 'must',
    steps: wholeScans({ unevenStrengths: is(0), strengthsWithoutEcho: is(0) }, settings),
  }),
  streamCase({
    id: 'stream.msgpack-reflectors',
    clause:
      'Bit 0 of the properties of an echo marks a reflector, as its signal strength of 254 of 255 does (from release 2.1.0 on).',
    place,
    level: 'should',
    releases: { since: '2.1.0' },
    steps: wholeScans(
      { reflectorsByStrengthOnly: is(0), reflectorsByPropertyOnly: is(0), unknownBits: is(0) },
      settings,
    ),
  }),
  streamCase({
    id: 'stream.msgpack-echo-order',
    clause: 'The echoes of a beam in MSGPACK come nearest first, without an empty place before one of them.',
    place,
    level: 'must',
    names: ['FREchoFilter'],
    steps: wholeScans({ unordered: is(0), gaps: is(0) }, settings),
  }),
  streamCase({
    id: 'stream.msgpack-from-compact',
    clause: 'A change of ScanDataFormat between Compact and MSGPACK takes effect while the stream is on.',
    place: 'Azimuth: Data streams',
    level: 'should',
    steps: [
      stream('scan', { ...settings, ScanDataFormat: 2 }),
      telegrams('scan', { scans: 1 }, eachTelegram({ format: is('Compact') })),
      write('ScanDataFormat', 1),
      telegrams('scan', { scans: 1 }, eachTelegram({ format: is('MSGPACK') })),
    ],
  }),
];
