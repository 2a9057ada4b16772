import { portLayout } from '../../scanner/legacy-listing.js';
import { call, get, given, type LegacyExpectation, type Step, up } from '../../steps/index.js';
import type { ConformanceCase, RequirementLevel, Stage } from '../case.js';
import { ask, type Form, granted, inBothForms, legacyCase, login, namesOf, textForm } from './telegrams.js';

const place = 'guide: All telegrams';

/** Port 1 as an output that telegrams switch, as the listing prints it. */
const outputPort = '1 6 InOut1 0 A 0 0 0 1 0 0 C8 1 1 0 0 1 SC01 0 0 0 0 0 0 0';
const inputPort = (name: string) => `0 6 ${name} 0 A 1 0 0 0 0 0 C8 1 1 0 0 0 0 0 0 0`;
const others = `${inputPort('InOut2')} ${inputPort('InOut3')}`;

/** A method of the listing that is called at level Service. */
interface Called {
  readonly name: string;
  readonly rest?: string;
  readonly what: string;
  readonly values?: string;
  readonly takes?: string;
  readonly gives?: string;
  /** Values of the answer as text. */
  readonly answer?: string;
  readonly pattern?: string;
  readonly within?: number;
  readonly level?: RequirementLevel;
  readonly stage?: Stage;
  readonly changes?: readonly string[];
  readonly before?: readonly Step[];
  /** What has to be so then. */
  readonly after?: readonly Step[];
  readonly cleanup?: readonly Step[];
  /** Method that ends what it has begun. */
  readonly ends?: string;
}

const measures = given('DeviceStatus', { is: 3 }, 'a scanner that measures');
const statusIs = (value: number): Step =>
  get('DeviceStatus', { data: { has: { DeviceStatus: { is: value } } } });
const measureAgain: readonly Step[] = [call('mStartMeasure', undefined, { status: 0 })];

const called: readonly Called[] = [
  {
    name: 'EnableLegacyUserLevel',
    rest: 'EnableLegacyUserLevel',
    what: 'takes a level and whether it is on, and answers 1',
    values: '4 1',
    takes: 'u8 bool',
    gives: 'bool',
    answer: '1',
    stage: 'write',
  },
  {
    name: 'LMCstopmeas',
    rest: 'mStopMeasure',
    what: 'stops measuring and answers 0',
    gives: 'enum8',
    answer: '0',
    before: [measures],
    after: [statusIs(4)],
    cleanup: measureAgain,
  },
  {
    name: 'LMCstandby',
    rest: 'mStandby',
    what: 'puts the scanner into standby and answers 0',
    gives: 'enum8',
    answer: '0',
    before: [measures],
    after: [statusIs(4)],
    cleanup: measureAgain,
  },
  {
    name: 'LMCstartmeas',
    rest: 'mStartMeasure',
    what: 'starts measuring and answers 0',
    gives: 'enum8',
    answer: '0',
    before: [measures, call('mStopMeasure', undefined, { status: 0 }), statusIs(4)],
    after: [{ kind: 'pause', seconds: 2 }, statusIs(3)],
    cleanup: measureAgain,
  },
  {
    name: 'mEEwriteall',
    rest: 'WriteEeprom',
    what: 'saves the parameters and answers 1',
    gives: 'bool',
    answer: '1',
    stage: 'reboot',
  },
  {
    name: 'LIDrstencoderinc',
    rest: 'mResetEncoderIncrement',
    what: 'answers 0',
    gives: 'enum8',
    answer: '0',
    stage: 'destructive',
  },
  {
    name: 'LIDrstoutpcnt',
    rest: 'mResetOutputCounter',
    what: 'answers 0',
    gives: 'enum8',
    answer: '0',
    stage: 'destructive',
  },
  {
    name: 'FindMe',
    rest: 'FindMe',
    what: 'takes seconds, and answers without values',
    values: '1',
    takes: 'u16',
  },
  {
    name: 'GetWebserverEnabled',
    rest: 'GetWebserverEnabled',
    what: 'answers with a boolean',
    gives: 'bool',
    answer: '1',
    stage: 'read',
  },
  {
    name: 'mEthUpdt',
    rest: 'EthernetUpdate',
    what: 'applies the network settings, and answers without values',
  },
  {
    name: 'ResetDetectionHistory',
    rest: 'ResetDetectionHistory',
    what: 'answers without values',
    stage: 'destructive',
  },
  {
    name: 'StartTeachIn',
    rest: 'StartTeachIn',
    what: 'answers without values',
    stage: 'destructive',
    ends: 'StopTeachIn',
  },
  {
    name: 'StopTeachIn',
    rest: 'StopTeachIn',
    what: 'ends a teach-in, and answers without values',
    stage: 'destructive',
    within: 1,
    before: [call('StartTeachIn', undefined, { status: 0 })],
  },
  {
    name: 'ActivateEvaluationGroup',
    rest: 'ActivateEvaluationGroup',
    what: 'takes pairs of a group and a boolean with their count, and answers with as many booleans',
    values: '2 1 0 +10 0',
    takes: '[u16 bool]',
    gives: '[bool]',
    pattern: '^2 [01] [01]$',
    stage: 'destructive',
  },
  {
    name: 'SetFieldEvaluationContour',
    rest: 'SetFieldEvaluationContour',
    what: 'answers 1 for an evaluation that does not exist',
    values: '31 4 +2000 +1000 +0 +1000 +0 +0 +2000 +0 +0 +0',
    takes: 'u16 [i32 i32] i32 i32',
    gives: 'enum8',
    answer: '1',
  },
  {
    name: 'IsSystemReady',
    what: 'always answers 1',
    gives: 'bool',
    answer: '1',
    level: 'should',
    stage: 'read',
  },
];

export const methodCases: readonly ConformanceCase[] = [
  ...called.flatMap((one) => inBothForms((form) => callCase(one, form))),
  ...inBothForms((form) => ({
    id: 'call.SetWebserverEnabled',
    clause: 'SetWebserverEnabled takes a boolean, and GetWebserverEnabled answers with it.',
    place,
    level: 'must',
    stage: 'write',
    names: ['SetWebserverEnabled', 'GetWebserverEnabled'],
    steps: [
      login(form),
      webserver(form, '0'),
      ask(form, 'sMN GetWebserverEnabled', {
        answer: 'sAN GetWebserverEnabled',
        gives: 'bool',
        values: { is: '0' },
      }),
      webserver(form, '1'),
      ask(form, 'sMN GetWebserverEnabled', granted('GetWebserverEnabled')),
    ],
    cleanup: [login(form, 'Service', { connection: 'cleanup' }), webserver(form, '1', 'cleanup')],
  })),
  ...inBothForms((form) => ({
    id: 'call.LSPsetdatetime',
    clause:
      'LSPsetdatetime takes year, month, day, hour, minute, second and microseconds, answers 0, and sets the clock.',
    place,
    level: 'must',
    stage: 'write',
    names: ['LSPsetdatetime', 'TSCRole', 'LSPdatetime'],
    steps: [
      given('TSCRole', { is: 0 }, 'a scanner whose clock is not synchronised'),
      get('LSPdatetime', { status: 0 }, { save: { before: 'data.LSPdatetime' } }),
      login(form),
      ask(
        form,
        'sMN LSPsetdatetime 7D9 2 11 10 22 0 0',
        { answer: 'sAN LSPsetdatetime', gives: 'enum8', values: { is: '0' } },
        'u16 u8 u8 u8 u8 u8 u32',
      ),
      get('LSPdatetime', {
        data: {
          has: {
            LSPdatetime: {
              has: {
                uiYear: { is: 2009 },
                usiMonth: { is: 2 },
                usiDay: { is: 17 },
                usiHour: { is: 16 },
                usiMinute: { is: 34 },
              },
            },
          },
        },
      }),
    ],
    cleanup: [call('LSPsetdatetime', { DateTime: { saved: 'before' } }, { status: 0 })],
  })),
  ...inBothForms((form) => ({
    id: 'call.GetFieldEvaluationContour',
    clause:
      'GetFieldEvaluationContour takes the number of an evaluation, and answers with a list of contours.',
    place,
    level: 'must',
    stage: 'write',
    names: ['GetFieldEvaluationContour'],
    steps: [
      login(form),
      ask(
        form,
        'sMN GetFieldEvaluationContour 1',
        {
          answer: 'sAN GetFieldEvaluationContour',
          gives: '[u16 [i32 i32] i32 i32]',
          values: { pattern: '^(0$|1 1 )' },
        },
        'u16',
      ),
    ],
  })),
  ...inBothForms((form) => ({
    id: 'call.mDOSetOutput',
    clause:
      'mDOSetOutput takes an output and its state, answers 1 if the source of the output is SC, and switches it.',
    place,
    level: 'must',
    stage: 'destructive',
    names: ['SetOutput', 'PortConfiguration'],
    changes: ['PortConfiguration'],
    steps: [
      login(form),
      ask(form, `sWN PortConfiguration ${outputPort}`, { answer: 'sWA PortConfiguration' }, portLayout),
      ask(form, 'sMN mDOSetOutput 1 1', granted('mDOSetOutput'), 'u8 enum8'),
    ],
  })),
  ...inBothForms((form) => ({
    id: 'call.mSCreboot',
    clause: 'mSCreboot answers without values, and the scanner reboots.',
    place,
    level: 'must',
    stage: 'reboot',
    names: ['RebootDevice', 'PowerOnCnt'],
    steps: [
      login(form),
      ask(form, 'sMN mSCreboot', { answer: 'sAN mSCreboot' }),
      closes(form),
      up(),
      ask(form, 'sRN SCdevicestate', { answer: 'sRA SCdevicestate', gives: 'enum8' }, undefined, {
        connection: 'later',
      }),
    ],
  })),
  legacyCase({
    id: 'write.PortConfiguration.leading',
    clause:
      'A write of PortConfiguration may carry the first ports only. The others keep their configuration.',
    place,
    level: 'must',
    stage: 'write',
    names: ['PortConfiguration'],
    changes: ['PortConfiguration'],
    steps: [
      login(textForm),
      ask(textForm, `sWN PortConfiguration ${inputPort('InOut1')} ${others}`, {
        answer: 'sWA PortConfiguration',
      }),
      ask(textForm, `sWN PortConfiguration ${outputPort}`, { answer: 'sWA PortConfiguration' }),
      ask(textForm, 'sRN PortConfiguration', {
        answer: 'sRA PortConfiguration',
        gives: `8*(${portLayout})`,
        sameAs: 'PortConfiguration',
        values: { pattern: `^${outputPort} ${others} ` },
      }),
    ],
  }),
];

function callCase(one: Called, form: Form) {
  const { name, rest, what, values, takes, gives, answer, pattern, within, ends } = one;
  const ending =
    ends === undefined ? [] : [login(form), ask(form, `sMN ${ends}`, { answer: `sAN ${ends}`, within: 1 })];
  const cleanup = one.cleanup ?? ending;
  const expect: LegacyExpectation = {
    answer: `sAN ${name}`,
    ...(gives === undefined ? {} : { gives }),
    ...(answer === undefined ? {} : { values: { is: answer } }),
    ...(pattern === undefined ? {} : { values: { pattern } }),
    ...(within === undefined ? {} : { within }),
  };
  return {
    id: `call.${name}`,
    clause: `${name} ${what}.`,
    place,
    level: one.level ?? ('must' as const),
    stage: one.stage ?? ('write' as const),
    ...namesOf(rest),
    ...(one.changes === undefined ? {} : { changes: one.changes }),
    steps: [
      ...(one.before ?? []),
      ...(one.stage === 'read' ? [] : [login(form)]),
      ask(form, values === undefined ? `sMN ${name}` : `sMN ${name} ${values}`, expect, takes),
      ...(one.after ?? []),
    ],
    ...(cleanup.length === 0 ? {} : { cleanup }),
  };
}

function webserver(form: Form, value: '0' | '1', connection?: string): Step {
  const answer = { answer: 'sAN SetWebserverEnabled' };
  return ask(
    form,
    `sMN SetWebserverEnabled ${value}`,
    answer,
    'bool',
    connection === undefined ? {} : { connection },
  );
}

function closes({ interface: letter }: Form): Step {
  return { kind: 'legacy', interface: letter, expect: { closed: true } };
}
