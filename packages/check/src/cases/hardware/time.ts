import type { Json, Matcher } from '../../match/matcher.js';
import { call, get, pause, type RequestStep, type Step, write } from '../../steps/index.js';
import type { Area, ConformanceCase } from '../case.js';
import { clockPutBack } from '../saving-steps.js';
import { reads } from '../value-steps.js';

const guide = 'guide: Time synchronisation';
const decided = 'Azimuth: the clocks';

const written = {
  level: 'must',
  stage: 'write',
  place: guide,
  names: ['LSPdatetime', 'LSPsetdatetime', 'TSCRole'],
  cleanup: [clockPutBack],
} as const;

type DateTime = readonly [
  year: number,
  month: number,
  day: number,
  hour: number,
  minute: number,
  second: number,
  microsecond?: number,
];

function dateTime([uiYear, usiMonth, usiDay, usiHour, usiMinute, usiSec, udiUSec = 0]: DateTime): Json {
  return { uiYear, usiMonth, usiDay, usiHour, usiMinute, usiSec, udiUSec };
}

/** Remembers what the clock shows, and lets nothing synchronise it. */
const byHand: readonly Step[] = [
  get('LSPdatetime', { status: 0 }, { save: { clock: 'data.LSPdatetime' } }),
  write('TSCRole', 0),
];

/** Sets the clock. */
function set(time: DateTime, status = 0): RequestStep {
  const data = status === 0 ? { data: { has: { ErrorCode: { is: 0 } } } as Matcher } : {};
  return call('LSPsetdatetime', { DateTime: dateTime(time) }, { status, ...data });
}

/** Expects the time within two seconds: the request takes some time. */
function shows([uiYear, usiMonth, usiDay, usiHour, usiMinute, usiSec]: DateTime): Step {
  return reads('LSPdatetime', {
    has: {
      uiYear: { is: uiYear },
      usiMonth: { is: usiMonth },
      usiDay: { is: usiDay },
      usiHour: { is: usiHour },
      usiMinute: { is: usiMinute },
      usiSec: { from: usiSec, to: usiSec + 2 },
    },
  });
}

const setting: readonly ConformanceCase[] = [
  {
    ...written,
    id: 'time.set',
    clause: 'LSPsetdatetime sets the device clock, and answers ErrorCode 0. LSPdatetime shows it.',
    steps: [...byHand, set([2027, 1, 31, 12, 34, 56]), shows([2027, 1, 31, 12, 34, 56])],
  },
  {
    ...written,
    id: 'time.microseconds',
    clause: 'The clock can be set to the microsecond: udiUSec counts, and is below a million.',
    steps: [
      ...byHand,
      set([2027, 1, 31, 12, 34, 50, 600_000]),
      pause(0.5),
      reads('LSPdatetime', { has: { usiSec: { from: 51, to: 53 }, udiUSec: { from: 0, to: 999_999 } } }),
    ],
  },
  {
    ...written,
    id: 'time.runs',
    clause: 'The device clock runs: 10 s later it shows 10 s more.',
    steps: [...byHand, set([2027, 1, 31, 12, 34, 10]), pause(10), shows([2027, 1, 31, 12, 34, 20])],
  },
  {
    ...written,
    id: 'time.next-day',
    clause: 'At midnight the next day begins, also in the next month and year.',
    steps: [...byHand, set([2027, 12, 31, 23, 59, 58]), pause(3), shows([2028, 1, 1, 0, 0, 1])],
  },
  {
    ...written,
    id: 'time.leap-day',
    clause: 'Leap years have a 29 February.',
    steps: [...byHand, set([2028, 2, 28, 23, 59, 58]), pause(3), shows([2028, 2, 29, 0, 0, 1])],
  },
  {
    ...written,
    id: 'time.earliest',
    clause: 'The clock can be set to the first day of 1970.',
    steps: [...byHand, set([1970, 1, 1, 0, 0, 0]), shows([1970, 1, 1, 0, 0, 0])],
  },
  {
    ...written,
    id: 'time.latest',
    clause: 'The clock can be set to the year 2099.',
    steps: [...byHand, set([2099, 12, 31, 12, 0, 0]), shows([2099, 12, 31, 12, 0, 0])],
  },
  {
    ...written,
    id: 'time.set-back',
    clause: 'The clock can be set back: it shows the earlier time.',
    steps: [...byHand, set([2040, 6, 1, 0, 0, 0]), set([2001, 6, 1, 0, 0, 0]), shows([2001, 6, 1, 0, 0, 0])],
  },
  {
    ...written,
    id: 'time.other-variables',
    clause: 'The device clock does not depend on the time zone as long as nothing synchronises it.',
    level: 'should',
    place: decided,
    names: [...written.names, 'TSCTCtimezone'],
    steps: [
      ...byHand,
      set([2027, 1, 31, 12, 34, 10]),
      write('TSCTCtimezone', 0),
      shows([2027, 1, 31, 12, 34, 10]),
    ],
  },
  {
    ...written,
    id: 'time.client-without-server',
    clause: 'As long as no time server has answered, LSPsetdatetime sets the clock although TSCRole is 1.',
    level: 'should',
    place: decided,
    names: [...written.names, 'TSCTCSrvAddr'],
    steps: [
      ...byHand,
      write('TSCTCSrvAddr', [192, 0, 2, 1]),
      write('TSCRole', 1),
      set([2027, 1, 31, 12, 34, 10]),
      shows([2027, 1, 31, 12, 34, 10]),
    ],
  },
  {
    ...written,
    id: 'time.without-login',
    clause: 'LSPsetdatetime needs a login: without one it answers status 4, and sets nothing.',
    steps: [
      ...byHand,
      set([2027, 1, 31, 12, 34, 10]),
      {
        kind: 'request',
        method: 'POST',
        path: 'LSPsetdatetime',
        data: { DateTime: dateTime([2050, 1, 1, 0, 0, 0]) },
        expect: { status: 4 },
      },
      shows([2027, 1, 31, 12, 34, 10]),
    ],
  },
];

/** Times that no clock can show, with what is wrong. */
const impossible: readonly (readonly [id: string, what: string, DateTime])[] = [
  ['month-0', 'the month 0', [2027, 0, 15, 0, 0, 0]],
  ['month-13', 'the month 13', [2027, 13, 15, 0, 0, 0]],
  ['day-0', 'the day 0', [2027, 5, 0, 0, 0, 0]],
  ['day-32', 'the day 32', [2027, 5, 32, 0, 0, 0]],
  ['hour-24', 'the hour 24', [2027, 5, 15, 24, 0, 0]],
  ['minute-60', 'the minute 60', [2027, 5, 15, 0, 60, 0]],
  ['second-60', 'the second 60', [2027, 5, 15, 0, 0, 60]],
  ['microsecond', 'a million microseconds', [2027, 5, 15, 0, 0, 0, 1_000_000]],
  ['year-1969', 'the year 1969', [1969, 12, 31, 0, 0, 0]],
  ['31-april', '31 April', [2027, 4, 31, 0, 0, 0]],
  ['29-february', '29 February of a year that is no leap year', [2027, 2, 29, 0, 0, 0]],
];

const refused = impossible.map(
  ([id, what, time]): ConformanceCase => ({
    ...written,
    id: `time.refused-${id}`,
    clause: `LSPsetdatetime refuses ${what} with status 6, and the clock goes on.`,
    level: 'should',
    place: decided,
    steps: [...byHand, set([2027, 1, 31, 12, 34, 10]), set(time, 6), shows([2027, 1, 31, 12, 34, 10])],
  }),
);

/** What `/x/time` says about synchronisation. */
const synchronisation: readonly ConformanceCase[] = [
  {
    ...written,
    id: 'time.not-synchronised',
    clause: '/x/time says that the clock is not synchronised while TSCRole is 0.',
    level: 'should',
    place: decided,
    cleanup: [],
    steps: [
      write('TSCRole', 0),
      get('/x/time', {
        http: [200, 404],
        body: {
          any: [
            { not: { has: { data: { present: true } } } },
            { has: { data: { has: { time: { has: { Role: { is: 0 }, Synchronised: { is: false } } } } } } },
          ],
        },
      }),
    ],
  },
  {
    ...written,
    id: 'time.ptp-listens',
    clause: 'With TSCRole 3 and no master, the clock is not synchronised, and /x/time has the role 3.',
    level: 'should',
    place: decided,
    cleanup: [],
    steps: [
      write('TSCRole', 3),
      pause(1),
      get('/x/time', {
        http: [200, 404],
        body: {
          any: [
            { not: { has: { data: { present: true } } } },
            { has: { data: { has: { time: { has: { Role: { is: 3 } } } } } } },
          ],
        },
      }),
    ],
  },
];

/** The device clock. */
export const timeArea: Area = {
  name: 'time',
  title: 'Date and time',
  cases: () => [...setting, ...refused, ...synchronisation],
};
