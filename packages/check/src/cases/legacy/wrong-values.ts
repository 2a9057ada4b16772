import type { LegacyStep } from '../../steps/index.js';
import { hexOf, legacyFrame } from '../../wire/legacy-frames.js';
import type { ConformanceCase, RequirementLevel } from '../case.js';
import {
  ask,
  binaryForm,
  codesPlace,
  type Form,
  hexText,
  legacyCase,
  login,
  over,
  served,
  textForm,
} from './telegrams.js';

/** What a session at level Service asks in vain. */
interface Wrong {
  readonly id: string;
  readonly what: string;
  /** Word and name. */
  readonly head: string;
  /** Values in text, and as hex digits; undefined where there is no such form. */
  readonly text?: string;
  readonly bytes?: string;
  readonly code: number | readonly number[];
  readonly level?: RequirementLevel;
  /** Variable that stays as it is. */
  readonly rest?: string;
}

const wrongValues: readonly Wrong[] = [
  {
    id: 'no-value',
    what: 'No value',
    head: 'sWN FREchoFilter',
    text: '',
    bytes: '',
    code: 8,
    rest: 'FREchoFilter',
    level: 'must',
  },
  {
    id: 'unknown-value',
    what: 'A number that the enumeration does not have',
    head: 'sWN FREchoFilter',
    text: '3',
    bytes: '03',
    code: 4,
    rest: 'FREchoFilter',
    level: 'must',
  },
  {
    id: 'two-values',
    what: 'Two values for one',
    head: 'sWN FREchoFilter',
    text: '1 1',
    bytes: '0101',
    code: 7,
    rest: 'FREchoFilter',
    level: 'must',
  },
  {
    id: 'below-range',
    what: 'A number below the range',
    head: 'sWN TSCTCupdatetime',
    text: '0',
    bytes: '00000000',
    code: 4,
    rest: 'TSCTCupdatetime',
    level: 'must',
  },
  {
    id: 'above-range',
    what: 'A number above the range',
    head: 'sWN TSCTCupdatetime',
    text: '+3601',
    bytes: '00000E11',
    code: 4,
    rest: 'TSCTCupdatetime',
    level: 'must',
  },
  {
    id: 'half-number',
    what: 'Half of a number',
    head: 'sWN TSCTCupdatetime',
    bytes: '0258',
    code: 8,
    rest: 'TSCTCupdatetime',
    level: 'must',
  },
  {
    id: 'letters',
    what: 'Letters that are no digits',
    head: 'sWN FREchoFilter',
    text: 'x',
    code: [0x11, 5],
    rest: 'FREchoFilter',
  },
  {
    id: 'point',
    what: 'A decimal point in an integer',
    head: 'sWN FREchoFilter',
    text: '1.0',
    code: [0x11, 5],
    rest: 'FREchoFilter',
  },
  {
    id: 'too-many-bits',
    what: 'A hex number of more bits than its type',
    head: 'sWN FREchoFilter',
    text: '101',
    code: 0x10,
    rest: 'FREchoFilter',
  },
  {
    id: 'endless-number',
    what: 'A hex number of 500 digits',
    head: 'sWN TSCTCupdatetime',
    text: 'F'.repeat(500),
    code: 0x10,
    rest: 'TSCTCupdatetime',
  },
  {
    id: 'negative',
    what: 'A negative number for an unsigned type',
    head: 'sWN TSCTCupdatetime',
    text: '-1',
    code: [4, 0x10],
    rest: 'TSCTCupdatetime',
  },
  {
    id: 'neither-truth',
    what: '2 for a boolean',
    head: 'sWN LEDEnable',
    text: '2',
    bytes: '02',
    code: [4, 5],
    rest: 'LEDEnable',
  },
  {
    id: 'long-string',
    what: 'A string of 33 characters where 32 are allowed',
    head: 'sWN LocationName',
    text: `21 ${'x'.repeat(33)}`,
    bytes: `0021${'78'.repeat(33)}`,
    code: 0xe,
    rest: 'LocationName',
    level: 'must',
  },
  {
    id: 'short-string',
    what: 'A string shorter than its length',
    head: 'sWN LocationName',
    text: '5 abc',
    bytes: '0005616263',
    code: 8,
    rest: 'LocationName',
    level: 'must',
  },
  {
    id: 'string-left-over',
    what: 'A string longer than its length',
    head: 'sWN LocationName',
    text: '2 abc',
    bytes: '0002616263',
    code: 7,
    rest: 'LocationName',
    level: 'must',
  },
  {
    id: 'huge-length',
    what: 'A length beyond the telegram',
    head: 'sWN LocationName',
    text: 'FFFF abc',
    bytes: 'FFFF616263',
    code: 8,
    rest: 'LocationName',
  },
  {
    id: 'control-character',
    what: 'A control character in a string',
    head: 'sWN LocationName',
    text: '3 a\x01b',
    bytes: '0003610162',
    code: [5, 0x11],
    rest: 'LocationName',
  },
  {
    id: 'not-utf8',
    what: 'Bytes that are not UTF-8',
    head: 'sWN LocationName',
    bytes: '0002FFFE',
    code: 5,
    rest: 'LocationName',
  },
  {
    id: 'short-array',
    what: 'Three bytes for an address',
    head: 'sWN EIIpAddr',
    text: 'C0 A8 1',
    bytes: 'C0A801',
    code: 8,
    rest: 'EtherIPAddress',
    level: 'must',
  },
  {
    id: 'long-array',
    what: 'Five bytes for an address',
    head: 'sWN EIIpAddr',
    text: 'C0 A8 1 2 3',
    bytes: 'C0A8010203',
    code: 7,
    rest: 'EtherIPAddress',
    level: 'must',
  },
  {
    id: 'long-list',
    what: 'Thirteen sectors where twelve are allowed',
    head: 'sWN ContaminationConfig',
    text: `0 3 0 0 D ${'1 '.repeat(14)}1`,
    bytes: `0000030000000D${'01'.repeat(15)}`,
    code: 0xe,
    rest: 'ContaminationConfig',
  },
  {
    id: 'half-struct',
    what: 'A struct that lacks its last member',
    head: 'sWN LFPparticle',
    text: '1',
    bytes: '01',
    code: 8,
    rest: 'LFPparticle',
    level: 'must',
  },
  {
    id: 'no-float',
    what: 'The float NaN',
    head: 'sWN LICencres',
    text: '7FC00000',
    bytes: '7FC00000',
    code: [4, 5],
    rest: 'EncResolution',
  },
  {
    id: 'float-above-range',
    what: 'A float above the range',
    head: 'sWN LICencres',
    text: '+2001',
    bytes: '44FA2000',
    code: 4,
    rest: 'EncResolution',
  },
  {
    id: 'low-port',
    what: 'The port 1023',
    head: 'sWN EIAuxPort',
    text: '+1023',
    bytes: '03FF',
    code: 4,
    rest: 'EtherAuxIPPort',
    level: 'must',
  },
  { id: 'find-me', what: 'FindMe for 0 s', head: 'sMN FindMe', text: '0', bytes: '0000', code: 4 },
  {
    id: 'find-me-without',
    what: 'FindMe without its time',
    head: 'sMN FindMe',
    text: '',
    bytes: '',
    code: 8,
  },
];

export const wrongValueCases: readonly ConformanceCase[] = [
  ...wrongValues.flatMap((wrong) => [
    ...(wrong.text === undefined ? [] : [valueCase(wrong, textForm, textBytes(wrong.head, wrong.text))]),
    ...(wrong.bytes === undefined
      ? []
      : [valueCase(wrong, binaryForm, binaryBytes(wrong.head, wrong.bytes))]),
  ]),
];

function valueCase(
  { id, what, head, code, rest, level = 'should' }: Wrong,
  form: Form,
  bytes: string,
): ConformanceCase {
  const name = head.split(' ')[1] ?? '';
  const steps: LegacyStep[] = [over(form, { bytes }, { error: code, first: true })];
  const kept = rest === undefined ? '' : ' The variable keeps its value.';
  return legacyCase({
    id: `value.${id}.${form.form}`,
    clause: `${what} in ${head} answers sFA ${[code].flat().map(hexText).join(' or ')}.${kept} (In ${form.form}.)`,
    place: codesPlace,
    level,
    stage: 'write',
    ...(rest === undefined ? {} : { names: [rest], changes: [rest] }),
    steps: [
      login(form),
      ...(rest === undefined ? [] : [readAny(form, name, 'before')]),
      ...steps,
      ...(rest === undefined ? [] : [readAny(form, name, undefined)]),
      ask(form, 'sRN SCdevicestate', { ...served, first: true }),
    ],
  });
}

/** Reads a variable without its layout: as bytes, which are saved or compared with those that were. */
function readAny(form: Form, name: string, save: string | undefined): LegacyStep {
  return ask(
    form,
    `sRN ${name}`,
    { payload: save === undefined ? { isSaved: 'before' } : { present: true } },
    undefined,
    save === undefined ? {} : { savePayload: save },
  );
}

function textBytes(head: string, values: string): string {
  return hexOf(legacyFrame(Buffer.from(values === '' ? head : `${head} ${values}`, 'latin1'), 'text'));
}

function binaryBytes(head: string, values: string): string {
  const bytes = Buffer.from(values.replaceAll(' ', ''), 'hex');
  return hexOf(legacyFrame(Buffer.concat([Buffer.from(`${head} `), bytes]), 'binary'));
}
