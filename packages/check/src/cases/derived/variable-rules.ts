import type { Json } from '../../match/matcher.js';
import type { CheckSubject } from '../../scanner/checked-scanner.js';
import { get, type RequestStep, write } from '../../steps/index.js';
import type { ConformanceCase } from '../case.js';
import { itemsOf, membersOf } from './json-value.js';
import { valuesOf } from './values-of-variable.js';

/** Cases about rules that no type states: values that do not fit each other, and how lengths and numbers are counted. */
export function ruleCases(subject: CheckSubject): readonly ConformanceCase[] {
  return [...ofTexts, ...ofNumbers, ...ofThresholds, ...ofPorts, ...sources(subject)].filter(
    ({ names = [] }) => names.every((name) => subject.has(name)),
  );
}

function rule(
  name: string,
  what: string,
  rest: Pick<ConformanceCase, 'clause' | 'place' | 'level' | 'steps'>,
): ConformanceCase {
  return { id: `variable.${name}.${what}`, stage: 'write', names: [name], ...rest };
}

/** Writes a value, and reads it back. */
function taken(name: string, value: Json): readonly RequestStep[] {
  return [write(name, value), get(name, { data: { has: { [name]: { is: value } } } })];
}

/** Two bytes in UTF-16, four in UTF-8, one character. */
const rocket = '\u{1F680}';

const ofTexts: readonly ConformanceCase[] = [
  rule('LocationName', 'characters', {
    clause: 'The 32 characters of LocationName are characters of Unicode, not bytes.',
    place: 'specification: Limits; Azimuth: code points are counted',
    level: 'should',
    steps: [
      ...taken('LocationName', rocket.repeat(32)),
      write('LocationName', rocket.repeat(33), { status: 7 }),
    ],
  }),
  rule('LocationName', 'control-characters', {
    clause: 'A text with a control character answers status 2, Invalid Data.',
    place: 'Azimuth: texts are for people',
    level: 'should',
    steps: [
      write('LocationName', 'a\u0007b', { status: 2 }),
      write('LocationName', 'a\nb', { status: 2 }),
      write('LocationName', '\u0000', { status: 2 }),
    ],
  }),
  rule('LocationName', 'limit', {
    clause: 'LocationName has up to 32 characters. A longer one answers status 7, Out Of Bounds.',
    place: 'specification: Limits',
    level: 'must',
    steps: [...taken('LocationName', 'x'.repeat(32)), write('LocationName', 'x'.repeat(33), { status: 7 })],
  }),
];

const ofNumbers: readonly ConformanceCase[] = [
  rule('TSCTCupdatetime', 'huge', {
    clause: 'A number far beyond any width answers status 6, Out Of Range, like the next one.',
    place: 'specification: Errors',
    level: 'must',
    steps: [write('TSCTCupdatetime', 1e300, { status: 6 }), write('TSCTCupdatetime', -1e300, { status: 6 })],
  }),
];

const thresholds = 'temperatureAlarmConfiguration';

const ofThresholds: readonly ConformanceCase[] = [
  rule(thresholds, 'order', {
    clause:
      'A lower threshold of the temperature alarm that is not below the upper one answers status 6, Out Of Range.',
    place: 'Azimuth: an alarm that ends before it begins is none',
    level: 'should',
    steps: [
      write(thresholds, { upperThreshold: 50, lowerThreshold: 50 }, { status: 6 }),
      write(thresholds, { upperThreshold: 50, lowerThreshold: 51 }, { status: 6 }),
      ...taken(thresholds, { upperThreshold: 50, lowerThreshold: 49 }),
    ],
  }),
];

const ofPorts: readonly ConformanceCase[] = [
  {
    ...rule('EtherAuxIPPort', 'same-port', {
      clause: 'The legacy interfaces A and B cannot have the same port: it answers status 6, Out Of Range.',
      place: 'Azimuth: nobody could tell them apart',
      level: 'should',
      steps: [
        write('EtherHostIPPort', 2112),
        write('EtherAuxIPPort', 2112, { status: 6 }),
        write('EtherAuxIPPort', 2111),
        write('EtherHostIPPort', 2111, { status: 6 }),
      ],
    }),
    names: ['EtherAuxIPPort', 'EtherHostIPPort'],
  },
];

/** Sources of the last port, which no plug has. */
function sources(subject: CheckSubject): readonly ConformanceCase[] {
  const name = 'PortConfiguration';
  const variable = subject.known.variable(name);
  if (variable === undefined) return [];
  const ports = itemsOf(valuesOf(variable, subject).initial);
  const withSource = (code: string): Json => {
    const port = membersOf(ports.at(-1) ?? null);
    const source = { Name: code, Invert: false, Reserved5: 0, Reserved6: 0 };
    const output = { ...membersOf(port.OutputSettings ?? null), Sources: [source] };
    return [...ports.slice(0, -1), { ...port, OutputSettings: output }];
  };
  return [
    rule(name, 'sources', {
      clause:
        'Outputs follow DRDY, FE01 to FE48, IN01 to IN08, SC01 to SC08; another code answers status 9, Illegal Value.',
      place: 'guide: Inputs and outputs',
      level: 'should',
      steps: [
        ...['DRDY', 'FE01', 'FE48', 'IN01', 'IN08', 'SC01', 'SC08'].flatMap((code) =>
          taken(name, withSource(code)),
        ),
        ...['XX01', 'FE00', 'FE49', 'IN09', 'SC09', 'drdy'].map((code) =>
          write(name, withSource(code), { status: 9 }, { about: `source ${code}` }),
        ),
      ],
    }),
  ];
}
