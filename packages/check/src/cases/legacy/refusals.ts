import type { ConformanceCase, RequirementLevel, Stage } from '../case.js';
import {
  ask,
  binaryForm,
  codesPlace,
  hexText,
  inBothForms,
  legacyCase,
  served,
  textForm,
} from './telegrams.js';

/** Something that every session may ask, and the code of its refusal. */
interface Asked {
  readonly id: string;
  readonly what: string;
  readonly telegram: string;
  readonly takes?: string;
  readonly code: number;
  readonly level?: RequirementLevel;
  readonly stage?: Stage;
  readonly names?: readonly string[];
}

const errorWords: Readonly<Record<number, string>> = {
  1: 'the level does not allow the call',
  2: 'unknown method',
  3: 'unknown variable',
  10: 'the level does not allow the write',
  11: 'unknown index',
  12: 'unknown command',
  15: 'unknown event',
};

const asked: readonly Asked[] = [
  {
    id: 'unknown-variable',
    what: 'A read of an unknown name',
    telegram: 'sRN nothing',
    code: 3,
    level: 'must',
  },
  { id: 'name-case', what: 'A read of a name in other letters', telegram: 'sRN serialnumber', code: 3 },
  { id: 'name-of-object', what: 'A read of the name constructor', telegram: 'sRN constructor', code: 3 },
  { id: 'read-method', what: 'A read of a method', telegram: 'sRN WriteEeprom', code: 3, level: 'must' },
  {
    id: 'write-unknown',
    what: 'A write of an unknown name',
    telegram: 'sWN nothing 1',
    takes: 'u8',
    code: 3,
    level: 'must',
  },
  { id: 'write-method', what: 'A write of a method', telegram: 'sWN WriteEeprom 1', takes: 'u8', code: 3 },
  {
    id: 'unknown-method',
    what: 'A call of an unknown name',
    telegram: 'sMN nothing',
    code: 2,
    level: 'must',
  },
  { id: 'method-case', what: 'A call of a method in other letters', telegram: 'sMN run', code: 2 },
  { id: 'call-variable', what: 'A call of a variable', telegram: 'sMN SerialNumber', code: 2, level: 'must' },
  {
    id: 'unknown-event',
    what: 'A subscription to an unknown name',
    telegram: 'sEN nothing 1',
    takes: 'u8',
    code: 15,
    level: 'must',
  },
  {
    id: 'event-of-method',
    what: 'A subscription to a method',
    telegram: 'sEN WriteEeprom 1',
    takes: 'u8',
    code: 15,
  },
  { id: 'by-index.read', what: 'A read by index', telegram: 'sRI 0', code: 11 },
  { id: 'by-index.write', what: 'A write by index', telegram: 'sWI 0 1', takes: 'u8', code: 11 },
  { id: 'by-index.call', what: 'A call by index', telegram: 'sMI 0', code: 11 },
  { id: 'by-index.event', what: 'A subscription by index', telegram: 'sEI 0 1', takes: 'u8', code: 11 },
  { id: 'unknown-word', what: 'An unknown command', telegram: 'sXN SerialNumber', code: 12, level: 'must' },
  { id: 'answer-as-request', what: 'An answer sent as a request', telegram: 'sRA SerialNumber', code: 12 },
  { id: 'word-case', what: 'A command in capitals', telegram: 'SRN SerialNumber', code: 12 },
  {
    id: 'write-below-level',
    what: 'A write without a login',
    telegram: 'sWN LEDEnable 1',
    takes: 'bool',
    code: 10,
    level: 'must',
    stage: 'write',
  },
  {
    id: 'write-read-only',
    what: 'A write of a variable that nobody may write',
    telegram: 'sWN DeviceStatus 3',
    takes: 'enum8',
    code: 10,
  },
  {
    id: 'write-scan',
    what: 'A write of the scan data',
    telegram: 'sWN LMDscandata 1',
    takes: 'u8',
    code: 10,
  },
  {
    id: 'call-below-level',
    what: 'A method that needs a level, called without a login',
    telegram: 'sMN mEEwriteall',
    code: 1,
    level: 'must',
    stage: 'reboot',
  },
  {
    id: 'call-below-level.rest-name',
    what: 'The same method by its name of REST',
    telegram: 'sMN WriteEeprom',
    code: 1,
    stage: 'reboot',
  },
  {
    id: 'start-below-level',
    what: 'LMCstartmeas without a login',
    telegram: 'sMN LMCstartmeas',
    code: 1,
    level: 'must',
    stage: 'write',
  },
  {
    id: 'stop-below-level',
    what: 'LMCstopmeas without a login',
    telegram: 'sMN LMCstopmeas',
    code: 1,
    level: 'must',
    stage: 'write',
  },
  {
    id: 'reboot-below-level',
    what: 'mSCreboot without a login',
    telegram: 'sMN mSCreboot',
    code: 1,
    level: 'must',
    stage: 'reboot',
  },
  {
    id: 'soft-reset-below-level',
    what: 'mSCsoftreset without a login',
    telegram: 'sMN mSCsoftreset',
    code: 1,
    stage: 'reboot',
  },
  {
    id: 'factory-below-level',
    what: 'mSCloadfacdef without a login',
    telegram: 'sMN mSCloadfacdef',
    code: 1,
    level: 'must',
    stage: 'destructive',
  },
  {
    id: 'application-below-level',
    what: 'mSCloadappdef without a login',
    telegram: 'sMN mSCloadappdef',
    code: 1,
    level: 'must',
    stage: 'destructive',
  },
  {
    id: 'password-below-level',
    what: 'SetPassword without a login',
    telegram: 'sMN SetPassword 3 F4724744',
    names: ['SetPassword'],
    takes: 'i8 u32',
    code: 1,
    level: 'must',
    stage: 'write',
  },
  {
    id: 'rest-login',
    what: 'getChallenge, which is for logins over REST,',
    telegram: 'sMN getChallenge',
    code: 1,
  },
];

export const refusalCases: readonly ConformanceCase[] = [
  ...asked.flatMap(({ id, what, telegram, takes, code, level = 'should', stage = 'read', names = [] }) =>
    inBothForms((form) => ({
      id: `refused.${id}`,
      clause: `${what} answers sFA ${hexText(code)}: ${errorWords[code]}. The connection goes on.`,
      place: codesPlace,
      level,
      stage,
      names,
      steps: [
        ask(form, telegram, { error: code, first: true }, takes),
        ask(form, 'sRN SCdevicestate', { ...served, first: true }),
      ],
    })),
  ),
  ...inBothForms((form) => ({
    id: 'refused.values-behind-read',
    clause: 'Values behind the name of a read answer sFA 7.',
    place: codesPlace,
    level: 'should',
    stage: 'read',
    steps: [ask(form, 'sRN SerialNumber 1', { error: 7 }, 'u8')],
  })),
  ...inBothForms((form) => ({
    id: 'refused.wrong-switch',
    clause: 'A subscription takes 0 or 1. Another number answers sFA 4 or 5, and none answers sFA 8.',
    place: codesPlace,
    level: 'should',
    stage: 'read',
    steps: [
      ask(form, 'sEN SerialNumber 2', { error: [4, 5] }, 'enum8'),
      ask(form, 'sEN SerialNumber', { error: 8 }),
    ],
  })),
  ...inBothForms((form) => ({
    id: 'refused.half-login',
    clause: 'A login without its hash answers sFA 8, and does not count as a failed one.',
    place: codesPlace,
    level: 'should',
    stage: 'read',
    steps: [ask(form, 'sMN SetAccessMode 4', { error: 8 }, 'i8')],
  })),
  legacyCase({
    id: 'refused.code.text',
    clause: 'In text, the code of an error is hex without a sign and without leading zeros: sFA A.',
    place: 'guide: Legacy protocol, rules',
    level: 'must',
    stage: 'read',
    steps: [
      ask(textForm, 'sRN nothing', { frame: { is: '02734641203303' } }),
      ask(textForm, 'sWN DeviceStatus 3', { frame: { is: '02734641204103' } }),
    ],
  }),
  legacyCase({
    id: 'refused.code.binary',
    clause: 'In binary, the code of an error is two bytes, big-endian, directly behind the letters sFA.',
    place: 'family: error codes',
    level: 'must',
    stage: 'read',
    steps: [ask(binaryForm, 'sRN nothing', { frame: { is: '0202020200000005734641000377' } })],
  }),
];
