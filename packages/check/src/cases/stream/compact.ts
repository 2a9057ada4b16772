import { get, sample } from '../../steps/index.js';
import type { ConformanceCase } from '../case.js';
import { about, eachTelegram, is, scanTelegrams, streamCase, unfiltered, wholeScans } from './stream-case.js';

const place = 'guide: Compact';

/** Compact, type 1: the bytes of a segment of a scan. */
export const compactCases: readonly ConformanceCase[] = [
  streamCase({
    id: 'stream.compact-marker',
    clause: 'A telegram begins with four bytes of the value 2.',
    place,
    level: 'must',
    steps: scanTelegrams({ marker: is('0x02020202') }),
  }),
  streamCase({
    id: 'stream.compact-type',
    clause: 'A telegram of a scan in Compact has type 1 at byte 4, as a little-endian number of 32 bits.',
    place,
    level: 'must',
    steps: scanTelegrams({ type: is(1), format: is('Compact') }),
  }),
  streamCase({
    id: 'stream.compact-version',
    clause:
      'A telegram of a scan has version 4 at byte 24: the unit of distances is in it, and the properties of a beam come before its azimuth.',
    place,
    level: 'must',
    steps: scanTelegrams({ version: is(4) }),
  }),
  streamCase({
    id: 'stream.compact-length',
    clause:
      'A datagram is one whole telegram: 104 bytes, the beams, and a checksum of 4 bytes. Nothing is missing, and nothing follows.',
    place,
    level: 'must',
    steps: scanTelegrams({ spareBytes: is(0) }),
  }),
  streamCase({
    id: 'stream.compact-module-size',
    clause:
      'Byte 28 has the bytes of the first module: those between the header of 32 bytes and the checksum.',
    place,
    level: 'must',
    steps: scanTelegrams({ undeclaredBytes: is(0) }),
  }),
  streamCase({
    id: 'stream.compact-checksum',
    clause:
      'The last four bytes are the CRC-32 (as in Ethernet, little-endian) of everything before them, from the marker on.',
    place,
    level: 'must',
    steps: scanTelegrams({ checksum: is('right') }),
  }),
  streamCase({
    id: 'stream.compact-sender',
    clause: 'The sender in a telegram is the serial number of the scanner.',
    place,
    level: 'must',
    steps: [
      get('SerialNumber', { status: 0 }, { save: { serial: 'data.SerialNumber' } }),
      ...scanTelegrams({ sender: { isSaved: 'serial' } }),
    ],
  }),
  streamCase({
    id: 'stream.compact-one-row',
    clause:
      'A 2D scanner sends one module with one row of beams: rows are 1, and the size of a next module is 0.',
    place,
    level: 'must',
    steps: scanTelegrams({ rows: is(1), nextModule: is(0) }),
  }),
  streamCase({
    id: 'stream.compact-elevation',
    clause: 'The elevation of the beams of a 2D scanner is 0.',
    place: 'family: recorded telegrams',
    level: 'should',
    steps: scanTelegrams({ elevation: is(0) }),
  }),
  streamCase({
    id: 'stream.compact-availability',
    clause: 'The byte of availability is 1, and the reserved byte behind the bits of the content is 0.',
    place: 'family: recorded telegrams',
    level: 'should',
    steps: scanTelegrams({ availability: is(1), reserved: is(0) }),
  }),
  streamCase({
    id: 'stream.compact-content',
    clause:
      'By default a telegram has everything: distance and signal strength of each echo (bits 3), properties and azimuth of each beam (bits 3).',
    place,
    level: 'must',
    steps: scanTelegrams({ echoContent: is(3), beamContent: is(3) }),
  }),
  streamCase({
    id: 'stream.compact-echoes',
    clause: 'With all echoes, each beam has three places for them, also where fewer were measured.',
    place: 'guide: Filter details',
    level: 'must',
    names: ['FREchoFilter'],
    steps: scanTelegrams({ echoes: is(3), beamBytes: is(15) }),
  }),
  streamCase({
    id: 'stream.compact-scale',
    clause: 'The unit of distances is 1 mm.',
    place,
    level: 'must',
    steps: scanTelegrams({ scale: is(1) }),
  }),
  streamCase({
    id: 'stream.compact-long-range',
    clause: 'With EnableLongRangeMode the unit of distances is 2 mm.',
    place: 'guide: LMDscandata',
    level: 'should',
    names: ['EnableLongRangeMode'],
    steps: scanTelegrams({ scale: is(2) }, { ...unfiltered, EnableLongRangeMode: true }),
  }),
  streamCase({
    id: 'stream.compact-azimuth-first',
    clause:
      'The first azimuth in the header is that of the first beam in rad: a scan begins at -138°, counter-clockwise, 0 straight ahead.',
    place,
    level: 'must',
    steps: wholeScans({ firstAzimuth: { from: -138.01, to: -137.99 } }),
  }),
  streamCase({
    id: 'stream.compact-azimuth-last',
    clause: 'The last azimuth in the header is that of the last beam: a scan ends at 138°.',
    place,
    level: 'must',
    steps: wholeScans({ lastAzimuth: { from: 137.66, to: 138.01 } }),
  }),
  streamCase({
    id: 'stream.compact-azimuth-code',
    clause:
      'The azimuth of a beam is a code of 16 bits: the nearest whole number to 16384 + 5215 × rad. All beams of a segment are evenly between the first and the last azimuth of its header.',
    place,
    level: 'must',
    steps: scanTelegrams({ unevenness: { from: 0, to: 0.0065 } }),
  }),
  streamCase({
    id: 'stream.compact-strengths',
    clause:
      'The scanner measures signal strengths with 8 bits. In 16 bits they are 257 times as large: both bytes are equal.',
    place,
    level: 'must',
    steps: wholeScans({ unevenStrengths: is(0) }),
  }),
  streamCase({
    id: 'stream.compact-strength-of-nothing',
    clause: 'A place without an echo has distance 0 and signal strength 0.',
    place: 'family: recorded telegrams',
    level: 'must',
    steps: wholeScans({ strengthsWithoutEcho: is(0) }),
  }),
  streamCase({
    id: 'stream.compact-reserved-strength',
    clause: 'The signal strength 255 of 255 is reserved, and never sent.',
    place: 'guide: LMDscandata',
    level: 'should',
    steps: wholeScans({ reservedStrengths: is(0) }),
  }),
  streamCase({
    id: 'stream.compact-reflectors',
    clause:
      'Bit 0 of the properties of a beam is set if one of its echoes is that of a reflector, which has the signal strength 254 of 255 (from release 2.1.0 on).',
    place,
    level: 'must',
    releases: { since: '2.1.0' },
    steps: wholeScans({ reflectorsByStrengthOnly: is(0), reflectorsByPropertyOnly: is(0) }),
  }),
  streamCase({
    id: 'stream.compact-properties',
    clause: 'Only bit 0 and bits 5 to 7 of the properties of a beam mean something; the others are 0.',
    place,
    level: 'should',
    steps: wholeScans({ unknownBits: is(0) }),
  }),
  streamCase({
    id: 'stream.compact-properties-of-nothing',
    clause: 'A beam without an echo has no properties.',
    place: 'Azimuth: Telegram formats',
    level: 'should',
    steps: wholeScans({ propertiesWithoutEcho: is(0) }),
  }),
  streamCase({
    id: 'stream.compact-echo-order',
    clause: 'The echoes of a beam come nearest first, without an empty place before one of them.',
    place: 'family: recorded telegrams',
    level: 'must',
    names: ['FREchoFilter'],
    steps: wholeScans({ unordered: is(0), gaps: is(0) }),
  }),
  streamCase({
    id: 'stream.compact-duration',
    clause:
      'A telegram has the times of its first and of its last beam in µs. Between two beams the mirror turns by the angle between them: at 15 Hz a third of a degree takes 61.7 µs.',
    place: 'family: recorded telegrams',
    level: 'must',
    names: ['PerformanceProfileNumber'],
    steps: [
      sample('scan', unfiltered, { scans: 1 }, eachTelegram({ beamInterval: about(61.7, 0.03) }), {
        within: 20,
      }),
    ],
  }),
];
