import { get, type Json, type Step } from '../../steps/index.js';
import type { ConformanceCase, RequirementLevel } from '../case.js';
import { ask, binaryForm, legacyCase, login, textForm } from './telegrams.js';

const place = 'guide: Legacy protocol, rules';

/** A value as it is written, how REST reads it, and how it is read again. */
interface Notation {
  readonly id: string;
  readonly clause: string;
  readonly name: string;
  readonly rest: string;
  /** Pairs of what is written and what REST reads then. */
  readonly writes: readonly (readonly [written: string, json: Json])[];
  /** The answer to the last one, character by character. */
  readonly reads?: string;
  readonly level?: RequirementLevel;
}

const update = { name: 'TSCTCupdatetime', rest: 'TSCTCupdatetime' };

const notations: readonly Notation[] = [
  {
    ...update,
    id: 'hex',
    clause: 'A number without a sign is hex: 258 is 600.',
    writes: [
      ['258', 600],
      ['10', 16],
    ],
  },
  {
    ...update,
    id: 'leading-zeros',
    clause: 'Leading zeros change nothing: 010 is hex, too, and is 16.',
    writes: [
      ['010', 16],
      ['00000258', 600],
    ],
  },
  {
    ...update,
    id: 'decimal',
    clause: 'A number with a sign is decimal: +10 is ten.',
    writes: [
      ['+10', 10],
      ['+600', 600],
    ],
  },
  {
    ...update,
    id: 'decimal-zeros',
    clause: 'A decimal number may have leading zeros.',
    writes: [
      ['+0010', 10],
      ['+00000600', 600],
    ],
    level: 'should',
  },
  {
    ...update,
    id: 'lower-case',
    clause: 'Hex digits may be small letters.',
    writes: [
      ['e0f', 3599],
      ['1f4', 500],
    ],
    level: 'should',
  },
  {
    ...update,
    id: 'answer-hex',
    clause: 'Numbers in answers are hex in capitals without leading zeros, whatever came in.',
    writes: [
      ['+600', 600],
      ['+3599', 3599],
    ],
    reads: 'E0F',
  },
  {
    ...update,
    id: 'widest',
    clause: 'A number may have more leading zeros than its type has digits.',
    writes: [['0000000000000258', 600]],
    level: 'should',
  },
  {
    id: 'negative',
    clause:
      'A negative number is decimal with a sign, or hex in two’s complement: -5000 and FFFFEC78 are the same.',
    name: 'LFPcubicareafilter',
    rest: 'LFPcubicareafilter',
    writes: [
      ['0 -5000 +5000 -4000 +4000 -20000 +20000', box(-5000, 5000, -4000, 4000)],
      ['0 FFFFF060 FA0 FFFFEC78 1388 FFFFB1E0 4E20', box(-4000, 4000, -5000, 5000)],
    ],
    reads: '0 FFFFF060 FA0 FFFFEC78 1388 FFFFB1E0 4E20',
  },
  {
    id: 'negative-byte',
    clause: 'A negative number of one byte is hex in two digits: -10 is F6.',
    name: 'temperatureAlarmConfiguration',
    rest: 'temperatureAlarmConfiguration',
    writes: [
      ['37 -10', alarm(55, -10)],
      ['37 F6', alarm(55, -10)],
    ],
    reads: '37 F6',
  },
  {
    id: 'float-hex',
    clause: 'A float is the eight hex digits of its 32 bits: 3FC00000 is 1.5.',
    name: 'LICencres',
    rest: 'EncResolution',
    writes: [
      ['3FC00000', 1.5],
      ['447A0000', 1000],
    ],
    reads: '447A0000',
  },
  {
    id: 'float-decimal',
    clause: 'A float with a sign is decimal: +1000 is 447A0000.',
    name: 'LICencres',
    rest: 'EncResolution',
    writes: [
      ['+2', 2],
      ['+1000', 1000],
    ],
    reads: '447A0000',
  },
  {
    id: 'float-point',
    clause: 'A decimal float may have a point.',
    name: 'LICencres',
    rest: 'EncResolution',
    writes: [
      ['+1.5', 1.5],
      ['+0.25', 0.25],
    ],
    reads: '3E800000',
    level: 'should',
  },
  {
    id: 'string',
    clause: 'A string has its length in front, in hex or signed decimal, and may hold blanks.',
    name: 'LocationName',
    rest: 'LocationName',
    writes: [
      ['C Hall 3, Gate', 'Hall 3, Gate'],
      ['+10 At the end', 'At the end'],
    ],
    reads: 'A At the end',
  },
  {
    id: 'string-empty',
    clause: 'An empty string is the length 0.',
    name: 'LocationName',
    rest: 'LocationName',
    writes: [
      ['1 x', 'x'],
      ['0', ''],
    ],
    reads: '0',
  },
  {
    id: 'string-longest',
    clause: 'LocationName takes 32 characters.',
    name: 'LocationName',
    rest: 'LocationName',
    writes: [
      ['1 x', 'x'],
      [`20 ${'Z'.repeat(32)}`, 'Z'.repeat(32)],
    ],
    reads: `20 ${'Z'.repeat(32)}`,
  },
  {
    id: 'string-utf8',
    clause: 'The length of a string counts the bytes of its UTF-8.',
    name: 'LocationName',
    rest: 'LocationName',
    writes: [
      ['1 x', 'x'],
      ['4 Tür', 'Tür'],
    ],
    reads: '4 Tür',
    level: 'should',
  },
  {
    id: 'array',
    clause: 'An array of fixed length has no count in front: an address is four numbers.',
    name: 'EIIpAddr',
    rest: 'EtherIPAddress',
    writes: [
      ['C0 A8 00 0B', [192, 168, 0, 11]],
      ['+10 +0 +7 +200', [10, 0, 7, 200]],
    ],
    reads: 'A 0 7 C8',
  },
];

function box(xMin: number, xMax: number, yMin: number, yMax: number): Json {
  return {
    bEnable: false,
    lXMin: xMin,
    lXMax: xMax,
    lYMin: yMin,
    lYMax: yMax,
    lZMin: -20_000,
    lZMax: 20_000,
  };
}

function alarm(upper: number, lower: number): Json {
  return { upperThreshold: upper, lowerThreshold: lower };
}

export const notationCases: readonly ConformanceCase[] = [
  ...notations.map(({ id, clause, name, rest, writes, reads, level = 'must' }) =>
    legacyCase({
      id: `text.${id}`,
      clause,
      place,
      level,
      stage: 'write',
      names: [rest],
      changes: [rest],
      steps: [
        login(textForm),
        ...writes.flatMap(([written, json]): Step[] => [
          ask(textForm, `sWN ${name} ${written}`, { answer: `sWA ${name}` }),
          get(rest, { status: 0, data: { has: { [rest]: { is: json } } } }),
        ]),
        ...(reads === undefined
          ? []
          : [ask(textForm, `sRN ${name}`, { payload: { is: hexText(`sRA ${name} ${reads}`) } })]),
      ],
    }),
  ),
  legacyCase({
    id: 'binary.numbers',
    clause: 'In binary, numbers are big-endian and stand without anything between them.',
    place,
    level: 'must',
    stage: 'write',
    names: ['LFPparticle', 'TSCTCupdatetime'],
    changes: ['LFPparticle', 'TSCTCupdatetime'],
    steps: [
      login(binaryForm),
      ask(binaryForm, 'sWN TSCTCupdatetime +600', { answer: 'sWA TSCTCupdatetime' }, 'u32'),
      ask(binaryForm, 'sRN TSCTCupdatetime', {
        payload: { is: `${hexText('sRA TSCTCupdatetime ')}00000258` },
      }),
      ask(binaryForm, 'sWN LFPparticle 1 +500', { answer: 'sWA LFPparticle' }, 'bool u16'),
      ask(binaryForm, 'sRN LFPparticle', { payload: { is: `${hexText('sRA LFPparticle ')}0101F4` } }),
    ],
  }),
  legacyCase({
    id: 'binary.string',
    clause: 'In binary, a string is its number of bytes (2 bytes) and the bytes.',
    place,
    level: 'must',
    stage: 'write',
    names: ['LocationName'],
    changes: ['LocationName'],
    steps: [
      login(binaryForm),
      ask(binaryForm, 'sWN LocationName 6 Gate 3', { answer: 'sWA LocationName' }, 'string'),
      ask(binaryForm, 'sRN LocationName', {
        payload: { is: `${hexText('sRA LocationName ')}0006${hexText('Gate 3')}` },
      }),
      ask(binaryForm, 'sWN LocationName 0', { answer: 'sWA LocationName' }, 'string'),
      ask(binaryForm, 'sRN LocationName', { payload: { is: `${hexText('sRA LocationName ')}0000` } }),
    ],
  }),
  legacyCase({
    id: 'binary.float',
    clause: 'In binary, a float is its four bytes, big-endian.',
    place,
    level: 'must',
    stage: 'write',
    names: ['EncResolution'],
    changes: ['EncResolution'],
    steps: [
      login(binaryForm),
      ask(binaryForm, 'sWN LICencres +1000', { answer: 'sWA LICencres' }, 'real'),
      ask(binaryForm, 'sRN LICencres', { payload: { is: `${hexText('sRA LICencres ')}447A0000` } }),
    ],
  }),
  legacyCase({
    id: 'text.acknowledgement',
    clause: 'In text, the acknowledgement of a write ends with the name.',
    place: 'guide: All telegrams',
    level: 'should',
    stage: 'write',
    names: ['LEDEnable'],
    changes: ['LEDEnable'],
    steps: [login(textForm), ask(textForm, 'sWN LEDEnable 1', { payload: { is: hexText('sWA LEDEnable') } })],
  }),
  legacyCase({
    id: 'binary.acknowledgement',
    clause: 'In binary, a blank follows the name in the acknowledgement of a write.',
    place: 'guide: Legacy protocol, rules',
    level: 'should',
    stage: 'write',
    names: ['LEDEnable'],
    changes: ['LEDEnable'],
    steps: [
      login(binaryForm),
      ask(binaryForm, 'sWN LEDEnable 1', { payload: { is: hexText('sWA LEDEnable ') } }, 'bool'),
    ],
  }),
  legacyCase({
    id: 'binary.acknowledgement-bare',
    clause: 'In binary, no blank follows the name in the acknowledgements of telegrams that came with 2.3.1.',
    place: 'guide: Legacy protocol, rules',
    level: 'should',
    stage: 'write',
    names: ['enableCloningPlug'],
    changes: ['enableCloningPlug'],
    steps: [
      login(binaryForm),
      ask(
        binaryForm,
        'sWN enableCloningPlug 1',
        { payload: { is: hexText('sWA enableCloningPlug') } },
        'bool',
      ),
    ],
  }),
];

function hexText(text: string): string {
  return Buffer.from(text).toString('hex').toUpperCase();
}
