import { get, legacyLevel, type Step, write } from '../../steps/index.js';
import type { ConformanceCase } from '../case.js';
import { ask, type Form, inBothForms, legacyCase, login, over, textForm } from './telegrams.js';

const place = 'family: drivers of relatives';

/** What drivers of relatives ask, as text, and the values of the answer. */
interface Asked {
  readonly id: string;
  readonly what: string;
  readonly telegram: string;
  readonly takes?: string;
  readonly answer: string;
  readonly gives?: string;
  readonly values?: string;
  readonly pattern?: string;
  /** True if it needs a level. */
  readonly needsLevel?: true;
}

const scanConfig = 'u32 u16 u32 i32 i32';

const asked: readonly Asked[] = [
  {
    id: 'DeviceIdent',
    what: 'DeviceIdent begins with the name of the family.',
    telegram: 'sRN DeviceIdent',
    answer: 'sRA DeviceIdent',
    gives: 'string string',
    pattern: '^[0-9A-F]+ .* [0-9A-F]+ \\d+\\.\\d+',
  },
  {
    id: 'EIHstCola',
    what: 'EIHstCola is 1: binary. 0 and 1 can be written, and change nothing.',
    telegram: 'sRN EIHstCola',
    answer: 'sRA EIHstCola',
    gives: 'enum8',
    values: '1',
  },
  {
    id: 'STlms',
    what: 'STlms has the state 7 while the scanner measures, the temperature alarm, time and date, and three zeros.',
    telegram: 'sRN STlms',
    answer: 'sRA STlms',
    gives: 'u16 bool string string u32 u32 u32',
    pattern: '^[137] [01] 8 \\d\\d:\\d\\d:\\d\\d A \\d\\d\\.\\d\\d\\.\\d{4} 0 0 0$',
  },
  {
    id: 'field000',
    what: 'field000 is one byte, 0.',
    telegram: 'sRN field000',
    answer: 'sRA field000',
    gives: 'u8',
    values: '0',
  },
  {
    id: 'field047',
    what: 'field047 is one byte, 0.',
    telegram: 'sRN field047',
    answer: 'sRA field047',
    gives: 'u8',
    values: '0',
  },
  {
    id: 'field048',
    what: 'There are 48 fields: field048 is unknown.',
    telegram: 'sRN field048',
    answer: 'sFA',
  },
  {
    id: 'LFErec',
    what: 'LFErec has an entry for each configured field, and for the first three: version 1, their number, scale 1 and offset 0.',
    telegram: 'sRN LFErec',
    answer: 'sRA LFErec',
    gives: '[u16 u8 u32 real real u32 i32 u8 6*(u8) u16]',
    pattern:
      '^([3-9]|[12][0-9A-F]|30|[A-F]) 1 1 [0-9A-F]+ 3F800000 00000000 [0-9A-F]+ [0-9A-F]+ [012] 0 0 0 0 0 0 0 1 2 ',
  },
  {
    id: 'LMPoutputRange',
    what: 'LMPoutputRange has one range: step, start and stop in 1/10000 degree.',
    telegram: 'sRN LMPoutputRange',
    answer: 'sRA LMPoutputRange',
    gives: 'u16 u32 i32 i32',
    pattern: '^1 [0-9A-F]+ [0-9A-F]+ [0-9A-F]+$',
  },
  {
    id: 'SetActiveApplications',
    what: 'SetActiveApplications lists FEVL and RANG, and RANG is always 1.',
    telegram: 'sRN SetActiveApplications',
    answer: 'sRA SetActiveApplications',
    gives: '[text4 bool]',
    pattern: '^2 FEVL [01] RANG 1$',
  },
  {
    id: 'ScanLayerFilter',
    what: 'ScanLayerFilter has the only layer, switched on.',
    telegram: 'sRN ScanLayerFilter',
    answer: 'sRA ScanLayerFilter',
    gives: '[bool]',
    values: '1 1',
  },
  {
    id: 'mCLsetscancfglist',
    what: 'mCLsetscancfglist always answers 5.',
    telegram: 'sMN mCLsetscancfglist 1',
    takes: 'u8',
    answer: 'sAN mCLsetscancfglist',
    gives: 'u8',
    values: '5',
    needsLevel: true,
  },
  {
    id: 'SetActiveApplications.write',
    what: 'SetActiveApplications can be written, which changes nothing.',
    telegram: 'sWN SetActiveApplications 1 RANG 1',
    takes: '[text4 bool]',
    answer: 'sWA SetActiveApplications',
    needsLevel: true,
  },
  {
    id: 'ScanLayerFilter.write',
    what: 'ScanLayerFilter can be written, which changes nothing.',
    telegram: 'sWN ScanLayerFilter 4 1 1 1 1',
    takes: '[bool]',
    answer: 'sWA ScanLayerFilter',
    needsLevel: true,
  },
  {
    id: 'EIHstCola.write',
    what: 'EIHstCola can be written, which changes nothing.',
    telegram: 'sWN EIHstCola 0',
    takes: 'enum8',
    answer: 'sWA EIHstCola',
    needsLevel: true,
  },
];

export const relativeCases: readonly ConformanceCase[] = [
  ...asked.flatMap((one) =>
    inBothForms((form) => ({
      id: `relative.${one.id}`,
      clause: one.what,
      place,
      level: 'should',
      stage: one.needsLevel === undefined ? ('read' as const) : ('write' as const),
      steps: one.needsLevel === undefined ? [answerTo(one, form)] : [login(form), answerTo(one, form)],
    })),
  ),
  ...inBothForms((form) => ({
    id: 'relative.ECRChangeArr',
    clause: 'ECRChangeArr can be subscribed to, and cannot be read.',
    place,
    level: 'should',
    stage: 'read',
    steps: [
      ask(
        form,
        'sEN ECRChangeArr 1',
        { answer: 'sEA ECRChangeArr', gives: 'enum8', values: { is: '1' } },
        'enum8',
      ),
      ask(form, 'sRN ECRChangeArr', { error: 3 }),
    ],
  })),
  ...inBothForms((form) => ({
    id: 'relative.LMPscancfg',
    clause:
      'LMPscancfg has the frequency and the step of the profile, and the whole view, whatever the filters are: 15 Hz, -48 to 228 degrees.',
    place: 'guide: All telegrams',
    level: 'must',
    stage: 'write',
    names: ['PerformanceProfileNumber'],
    changes: ['PerformanceProfileNumber'],
    steps: [
      write('PerformanceProfileNumber', 1),
      ask(form, 'sRN LMPscancfg', {
        answer: 'sRA LMPscancfg',
        gives: scanConfig,
        values: { is: '5DC 1 1388 FFF8AD00 22CA40' },
      }),
      write('PerformanceProfileNumber', 2),
      ask(form, 'sRN LMPscancfg', {
        answer: 'sRA LMPscancfg',
        gives: scanConfig,
        values: { is: '5DC 1 D05 FFF8AD00 22CA40' },
      }),
    ],
  })),
  ...inBothForms((form) => ({
    id: 'relative.mLMPsetscancfg',
    clause:
      'mLMPsetscancfg answers with the scan configuration in force, and changes nothing: status 0 for the same frequency and step, 1 for another frequency, 2 for another step.',
    place,
    level: 'should',
    stage: 'write',
    names: ['PerformanceProfileNumber'],
    changes: ['PerformanceProfileNumber'],
    steps: [
      write('PerformanceProfileNumber', 2),
      login(form),
      setScanConfig(form, '5DC 1 D05 0 0', '0'),
      setScanConfig(form, '+2500 1 D05 0 0', '1'),
      setScanConfig(form, '5DC 1 +5000 0 0', '2'),
      get('PerformanceProfileNumber', { data: { has: { PerformanceProfileNumber: { is: 2 } } } }),
    ],
  })),
  ...inBothForms((form) => ({
    id: 'relative.LMPoutputRange.write',
    clause:
      'A write of LMPoutputRange sets LFPangleRangeFilter, 90 degrees being straight ahead: from 0 to 180 degrees it is -90 to 90 degrees.',
    place,
    level: 'should',
    stage: 'write',
    names: ['LFPangleRangeFilter'],
    changes: ['LFPangleRangeFilter'],
    steps: [
      login(form),
      ask(form, 'sWN LMPoutputRange 1 D05 0 +1800000', { answer: 'sWA LMPoutputRange' }, 'u16 u32 i32 i32'),
      get('LFPangleRangeFilter', {
        data: {
          has: {
            LFPangleRangeFilter: {
              has: { bEnable: { is: true }, fThetaStart: { is: -900_000 }, fThetaStop: { is: 900_000 } },
            },
          },
        },
      }),
    ],
  })),
  legacyCase({
    id: 'relative.level-three',
    clause: 'AuthorizedClient may write what drivers of relatives write.',
    place,
    level: 'should',
    stage: 'write',
    names: ['EnableLegacyUserLevel'],
    steps: [
      legacyLevel('AuthorizedClient'),
      over(
        textForm,
        { login: { method: 'SetAccessMode', level: 'AuthorizedClient' } },
        {
          answer: 'sAN SetAccessMode',
          gives: 'bool',
          values: { is: '1' },
        },
      ),
      ask(textForm, 'sWN EIHstCola 1', { answer: 'sWA EIHstCola' }),
    ],
  }),
  legacyCase({
    id: 'relative.below-level',
    clause: 'Without a login, EIHstCola cannot be written, and mLMPsetscancfg cannot be called.',
    place,
    level: 'should',
    stage: 'write',
    steps: [
      ask(textForm, 'sWN EIHstCola 1', { error: 0xa }),
      ask(textForm, 'sMN mLMPsetscancfg 5DC 1 D05 0 0', { error: 1 }),
    ],
  }),
];

function answerTo({ telegram, takes, answer, gives, values, pattern }: Asked, form: Form): Step {
  if (answer === 'sFA') return ask(form, telegram, { error: 3 });
  const matcher = values === undefined ? (pattern === undefined ? undefined : { pattern }) : { is: values };
  return ask(
    form,
    telegram,
    {
      answer,
      ...(gives === undefined ? {} : { gives }),
      ...(matcher === undefined ? {} : { values: matcher }),
    },
    takes,
  );
}

function setScanConfig(form: Form, values: string, status: string): Step {
  return ask(
    form,
    `sMN mLMPsetscancfg ${values}`,
    {
      answer: 'sAN mLMPsetscancfg',
      gives: `u8 ${scanConfig}`,
      values: { is: `${status} 5DC 1 D05 FFF8AD00 22CA40` },
    },
    scanConfig,
  );
}
