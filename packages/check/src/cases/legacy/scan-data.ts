import { get, type Step, write } from '../../steps/index.js';
import type { ConformanceCase } from '../case.js';
import { changed, configLayout, follow, measures, needed, place, scans, usual } from './scan-settings.js';
import { ask, inBothForms, legacyCase, login, over, textForm } from './telegrams.js';
import { subscribed } from './variables.js';

export const scanDataCases: readonly ConformanceCase[] = [
  ...inBothForms((form) => ({
    id: 'scan.requested',
    clause: 'sRN LMDscandata answers with a scan, without a login and in every format.',
    place,
    level: 'must',
    stage: 'read',
    steps: [
      measures,
      ask(form, 'sRN LMDscandata', {
        answer: 'sRA LMDscandata',
        within: 2,
        scan: {
          has: {
            reserved: { is: 0 },
            wide: { items: { has: { content: { pattern: '^DIST[123]$' } } }, atLeast: 1, atMost: 3 },
          },
        },
      }),
    ],
  })),
  ...inBothForms((form) => ({
    id: 'scan.last',
    clause: 'sRN LMDscandata answers with the last scan also while nothing is measured.',
    place,
    level: 'must',
    stage: 'write',
    names: ['mStopMeasure', 'mStartMeasure'],
    steps: [
      measures,
      ask(form, 'sRN LMDscandata', { answer: 'sRA LMDscandata', within: 2, scan: { has: {} } }),
      login(form),
      ask(form, 'sMN LMCstopmeas', { answer: 'sAN LMCstopmeas', gives: 'enum8' }),
      { kind: 'pause', seconds: 0.5 },
      ask(form, 'sRN LMDscandata', { answer: 'sRA LMDscandata', within: 2, scan: { has: {} } }),
    ],
    cleanup: [
      login(form, 'Service', { connection: 'cleanup' }),
      ask(form, 'sMN LMCstartmeas', { answer: 'sAN LMCstartmeas', gives: 'enum8' }, undefined, {
        connection: 'cleanup',
      }),
    ],
  })),
  ...inBothForms((form) => ({
    id: 'scan.other-format',
    clause:
      'While ScanDataFormat is not 3, subscriptions to LMDscandata are acknowledged, and no scans come.',
    place,
    level: 'must',
    stage: 'write',
    names: ['ScanDataFormat'],
    changes: ['ScanDataFormat'],
    steps: [measures, write('ScanDataFormat', 2), follow(form), over(form, undefined, { silence: 0.5 })],
  })),
  ...inBothForms((form) => ({
    id: 'scan.ended',
    clause: 'After sEN LMDscandata 0 no scan comes any more.',
    place,
    level: 'must',
    stage: 'write',
    names: needed,
    changes: changed,
    steps: [
      ...usual,
      follow(form),
      scans(form, { has: {} }, 1, 0),
      ask(form, 'sEN LMDscandata 0', subscribed('LMDscandata', '0'), 'enum8'),
      over(form, { forget: true }, {}),
      over(form, undefined, { silence: 0.5 }),
    ],
  })),
  legacyCase({
    id: 'scan.subscribed-twice',
    clause: 'A second sEN LMDscandata 1 is acknowledged again, and each scan still comes once.',
    place: 'family: scan data',
    level: 'should',
    stage: 'write',
    names: needed,
    changes: changed,
    steps: [
      ...usual,
      follow(textForm),
      ask(textForm, 'sEN LMDscandata 1', subscribed('LMDscandata')),
      scans(textForm, { has: { steps: { has: { scan: { items: { is: 1 } } } } } }, 4),
    ],
  }),
  legacyCase({
    id: 'scan.several-connections',
    clause: 'Several connections may follow the scans. They get the same ones.',
    place: 'family: scan data',
    level: 'should',
    stage: 'write',
    names: needed,
    changes: changed,
    steps: [
      ...usual,
      follow(textForm),
      follow({ form: 'binary', interface: 'B' }),
      scans(textForm, { has: { steps: { has: { telegram: { items: { is: 1 } } } } } }),
      scans(
        { form: 'binary', interface: 'B' },
        { has: { steps: { has: { telegram: { items: { is: 1 } } } } } },
      ),
    ],
  }),
  legacyCase({
    id: 'scan.serial',
    clause: 'The serial number stands in the telegram as a number.',
    place,
    level: 'must',
    stage: 'read',
    steps: [
      measures,
      get('SerialNumber', { status: 0 }, { save: { serial: 'data.SerialNumber' } }),
      ask(textForm, 'sRN LMDscandata', {
        answer: 'sRA LMDscandata',
        within: 2,
        scan: { has: { serial: { isSaved: 'serial' } } },
      }),
    ],
  }),
  ...inBothForms((form) => ({
    id: 'scan.configured',
    clause:
      'LMDscandatacfg is ScanDataConfig in thirteen bytes. It is written by AuthorizedClient and read again.',
    place: 'guide: LMDscandatacfg',
    level: 'must',
    stage: 'write',
    names: ['ScanDataConfig'],
    changes: ['ScanDataConfig'],
    steps: [
      login(form),
      ask(
        form,
        'sWN LMDscandatacfg 0 0 1 0 0 1 0 0 1 0 0 +1',
        { answer: 'sWA LMDscandatacfg' },
        configLayout,
      ),
      configIs(true, true, true, false),
      ask(form, 'sRN LMDscandatacfg', {
        answer: 'sRA LMDscandatacfg',
        gives: configLayout,
        values: { is: '0 0 1 0 0 1 0 0 1 0 0 1' },
      }),
      ask(
        form,
        'sWN LMDscandatacfg 0 0 0 0 0 0 0 0 0 0 1 +1',
        { answer: 'sWA LMDscandatacfg' },
        configLayout,
      ),
      configIs(false, false, false, true),
      ask(form, 'sRN LMDscandatacfg', {
        answer: 'sRA LMDscandatacfg',
        gives: configLayout,
        values: { is: '0 0 0 0 0 0 0 0 0 0 1 1' },
      }),
    ],
  })),
];

function configIs(strengths: boolean, encoder: boolean, name: boolean, time: boolean): Step {
  return get('ScanDataConfig', {
    data: {
      has: {
        ScanDataConfig: {
          has: {
            RemDataConfig: { has: { bEnable: { is: strengths } } },
            EnableEncoderBlock: { is: encoder },
            bEnableDeviceName: { is: name },
            bEnableTimeBlock: { is: time },
          },
        },
      },
    },
  });
}
