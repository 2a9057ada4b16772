import { sample, stream, telegrams, write } from '../../steps/index.js';
import type { ConformanceCase } from '../case.js';
import { eachTelegram, is, streamCase, unfiltered } from './stream-case.js';

const place = 'guide: Compact';

interface Choice {
  readonly id: string;
  readonly clause: string;
  readonly content: { readonly includeRssi: boolean; readonly includeProperties: boolean };
  /** Bits of the content. */
  readonly echo: number;
  readonly beam: number;
  /** Bytes of a beam with three echoes. */
  readonly bytes: number;
}

const choices: readonly Choice[] = [
  {
    id: 'stream.content-without-strengths',
    clause:
      'With includeRssi false, a telegram in Compact has no signal strengths, and the bit for them is not set.',
    content: { includeRssi: false, includeProperties: true },
    ...{ echo: 1, beam: 3, bytes: 9 },
  },
  {
    id: 'stream.content-without-properties',
    clause:
      'With includeProperties false, a telegram in Compact has no properties, and the bit for them is not set. The azimuth stays.',
    content: { includeRssi: true, includeProperties: false },
    ...{ echo: 3, beam: 2, bytes: 14 },
  },
  {
    id: 'stream.content-distances-only',
    clause: 'With neither signal strengths nor properties, a telegram in Compact has distances and azimuths.',
    content: { includeRssi: false, includeProperties: false },
    ...{ echo: 1, beam: 2, bytes: 8 },
  },
];

const names = ['compactTelegramType1Content', 'FREchoFilter'];

/** compactTelegramType1Content: what a telegram in Compact has. */
export const contentCases: readonly ConformanceCase[] = [
  ...choices.map(({ id, clause, content, echo, beam, bytes }) =>
    streamCase({
      id,
      clause,
      place,
      level: 'must',
      names,
      steps: [
        sample(
          'scan',
          { ...unfiltered, compactTelegramType1Content: content },
          { scans: 1 },
          eachTelegram({
            echoContent: is(echo),
            beamContent: is(beam),
            beamBytes: is(bytes),
            spareBytes: is(0),
            checksum: is('right'),
          }),
        ),
      ],
    }),
  ),
  streamCase({
    id: 'stream.content-while-sending',
    clause: 'A change of compactTelegramType1Content takes effect while the stream is on.',
    place: 'Azimuth: Data streams',
    level: 'should',
    names,
    steps: [
      stream('scan', unfiltered),
      telegrams('scan', { scans: 1 }, eachTelegram({ beamContent: is(3) })),
      write('compactTelegramType1Content', { includeRssi: false, includeProperties: false }),
      telegrams('scan', { scans: 1 }, eachTelegram({ echoContent: is(1), beamContent: is(2) })),
    ],
  }),
  streamCase({
    id: 'stream.content-of-msgpack',
    clause: 'MSGPACK has signal strengths and properties, whatever compactTelegramType1Content says.',
    place: 'guide: Compact',
    level: 'should',
    names,
    steps: [
      sample(
        'scan',
        {
          ...unfiltered,
          ScanDataFormat: 1,
          compactTelegramType1Content: { includeRssi: false, includeProperties: false },
        },
        { scans: 1 },
        eachTelegram({ rssiArrays: is(3), propertyArrays: is(3) }),
      ),
    ],
  }),
];
