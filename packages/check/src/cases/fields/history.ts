import { call, get, pause, type Step, write } from '../../steps/index.js';
import type { ConformanceCase } from '../case.js';
import { endFaults, formerScene, inRoom, type Thing } from '../outside/control-steps.js';
import { activate, becomes, byTelegram, define, field, group } from './field-steps.js';

const inside: Thing = { name: 'thing', x: 3, y: 0, size: [0.5, 0.5] };

const recorded = {
  level: 'should',
  stage: 'core',
  place: 'Azimuth: the detection history',
  names: ['EnableDetectionHistory', 'EvaluationsToLog', 'ResetDetectionHistory'],
  cleanup: [call('ResetDetectionHistory', undefined), endFaults, formerScene],
} as const;

/** Number of entries of a history. */
function hasEntries(atLeast: number, atMost = atLeast): Step {
  return get('/x/history', {
    data: { has: { history: { items: { present: true }, atLeast, atMost } } },
  });
}

const reset = call('ResetDetectionHistory', undefined);
const on = write('EnableDetectionHistory', true);
const toLog = (isLogged: (id: number) => boolean) =>
  write(
    'EvaluationsToLog',
    Array.from({ length: 48 }, (_, index) => isLogged(index + 1)),
  );
const logAll = toLog(() => true);

/** Lets a thing be in a number of fields that are switched together, and not evaluated yet. */
function ready(count: number): readonly Step[] {
  const ids = Array.from({ length: count }, (_, index) => index + 1);
  return [
    ...inRoom(inside),
    on,
    logAll,
    define(
      ids.map((id) => field(id, { Name: `field ${id}` })),
      [group(1, ids, byTelegram)],
    ),
    reset,
    hasEntries(0),
  ];
}

/** All fields become infringed once. */
const infringed: readonly Step[] = [activate([[1, true]]), becomes('INFRINGED'), activate([[1, false]])];

/** Records of infringed fields. */
export const historyCases: readonly ConformanceCase[] = [
  {
    ...recorded,
    id: 'field.history',
    clause: 'The detection history gets one entry each time a field becomes infringed.',
    place: 'specification: Limits',
    level: 'must',
    steps: [...ready(1), ...infringed, hasEntries(1), pause(1), hasEntries(1), ...infringed, hasEntries(2)],
  },
  {
    ...recorded,
    id: 'field.history-entry',
    clause:
      'An entry of the history has the number and the name of the field, the time, and the position of the object.',
    steps: [
      ...ready(2),
      ...infringed,
      get('/x/history', {
        data: {
          has: {
            history: {
              some: {
                has: {
                  EvaluationId: { is: 2 },
                  Name: { is: 'field 2' },
                  Timestamp: { from: 1, to: Number.MAX_SAFE_INTEGER },
                  Positions: {
                    items: { has: { x: { from: 2700, to: 2800 }, y: { from: -300, to: 300 } } },
                    atLeast: 1,
                  },
                },
              },
            },
          },
        },
      }),
    ],
  },
  {
    ...recorded,
    id: 'field.history-200',
    clause: 'The detection history has 200 entries. Then each new one removes the oldest.',
    place: 'specification: Limits',
    level: 'must',
    steps: [
      ...ready(20),
      ...Array.from({ length: 9 }, () => infringed).flat(),
      hasEntries(180),
      ...infringed,
      hasEntries(200),
      ...infringed,
      hasEntries(200),
    ],
  },
  {
    ...recorded,
    id: 'field.history-newest',
    clause: 'The newest entry of a history is kept when the oldest ones are removed.',
    steps: [
      ...ready(20),
      ...Array.from({ length: 10 }, () => infringed).flat(),
      hasEntries(200),
      define([field(1, { Name: 'newest' })], [group(1, [1], byTelegram)]),
      ...infringed,
      get('/x/history', { data: { has: { history: { some: { has: { Name: { is: 'newest' } } } } } } }),
    ],
  },
  {
    ...recorded,
    id: 'field.history-off',
    clause:
      'While EnableDetectionHistory is false, the history gets no entries, and keeps those that it has.',
    place: 'specification: Detection history',
    level: 'must',
    steps: [...ready(1), ...infringed, write('EnableDetectionHistory', false), ...infringed, hasEntries(1)],
  },
  {
    ...recorded,
    id: 'field.history-to-log',
    clause: 'EvaluationsToLog says for each evaluation whether the history records it.',
    place: 'specification: Detection history',
    level: 'must',
    steps: [
      ...ready(2),
      toLog((id) => id === 2),
      ...infringed,
      hasEntries(1),
      get('/x/history', {
        data: { has: { history: { items: { has: { EvaluationId: { is: 2 } } } } } },
      }),
    ],
  },
  {
    ...recorded,
    id: 'field.history-reset',
    clause: 'ResetDetectionHistory deletes all entries.',
    place: 'specification: Detection history',
    level: 'must',
    steps: [...ready(3), ...infringed, hasEntries(3), reset, hasEntries(0)],
  },
  {
    ...recorded,
    id: 'field.history-order',
    clause: 'The newest entry of the history is the last one.',
    steps: [
      ...ready(1),
      ...infringed,
      define([field(2)], [group(1, [2], byTelegram)]),
      activate([[1, true]]),
      becomes('INFRINGED', 2),
      get('/x/history', {
        data: {
          has: {
            history: { begins: [{ has: { EvaluationId: { is: 1 } } }, { has: { EvaluationId: { is: 2 } } }] },
          },
        },
      }),
    ],
  },
];
