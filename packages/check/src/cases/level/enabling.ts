import type { LoginLevel } from '@azimuth/model';
import type { Json } from '../../match/matcher.js';
import type { CheckSubject } from '../../scanner/checked-scanner.js';
import { type AnswerExpectation, call, post, type Step } from '../../steps/index.js';
import { rightLogin } from '../auth/login.js';
import type { ConformanceCase } from '../case.js';
import { caseList, type ListedCase } from '../case-list.js';
import { levelNumbers, loginAt, noLoginAt, switchLevel, whileLevelIs } from '../levels.js';

const decided = { level: 'should', place: 'Azimuth: design, Access' } as const;

/** EnableUserLevel with whatever data. */
function enable(data: Json, expect: AnswerExpectation): Step {
  return call('EnableUserLevel', data, expect);
}

const result = (value: number): AnswerExpectation => ({
  status: 0,
  data: { exactly: { result: { is: value } } },
});

/** Both lower levels can be enabled and disabled. */
function switching(subject: CheckSubject, level: Exclude<LoginLevel, 'Service'>): readonly ListedCase[] {
  const userLevel = levelNumbers[level];
  const name = level === 'Maintenance' ? 'maintenance' : 'authorized-client';
  return [
    {
      id: `enabled-${name}`,
      clause: `After EnableUserLevel with ${userLevel} and true, ${level} can log in.`,
      ...whileLevelIs(subject, level, false, [
        enable({ userLevel, isEnabled: true }, result(0)),
        loginAt(level),
      ]),
    },
    {
      id: `disabled-${name}`,
      clause: `After EnableUserLevel with ${userLevel} and false, ${level} cannot log in: status 4.`,
      ...whileLevelIs(subject, level, true, [
        enable({ userLevel, isEnabled: false }, result(0)),
        noLoginAt(level),
      ]),
    },
  ];
}

/** EnableUserLevel. */
export function enablingCases(subject: CheckSubject): readonly ConformanceCase[] {
  return caseList(
    'level',
    {
      place: 'specification: EnableUserLevel',
      level: 'must',
      stage: 'write',
      names: ['EnableUserLevel'],
    },
    ...switching(subject, 'Maintenance'),
    ...switching(subject, 'AuthorizedClient'),
    {
      id: 'one-level-alone',
      clause: 'EnableUserLevel changes this level alone.',
      ...whileLevelIs(subject, 'Maintenance', true, [
        switchLevel('Maintenance', false),
        loginAt('Service'),
        switchLevel('Maintenance', true),
        loginAt('Service'),
        loginAt('Maintenance'),
      ]),
    },
    {
      id: 'service-enabled',
      clause: 'EnableUserLevel with 4 and true answers result 0: Service is enabled.',
      ...decided,
      steps: [enable({ userLevel: 4, isEnabled: true }, result(0)), rightLogin],
    },
    {
      id: 'service-not-disabled',
      clause: 'Service cannot be disabled: EnableUserLevel with 4 and false answers result 2, NOT_ACCEPTED.',
      place: 'guide: Users, lock, factory reset',
      steps: [enable({ userLevel: 4, isEnabled: false }, result(2)), rightLogin],
    },
    {
      id: 'service-stays',
      clause: 'After an attempt to disable Service, Service can log in.',
      place: 'guide: Users, lock, factory reset',
      steps: [enable({ userLevel: 4, isEnabled: false }, { status: 0 }), rightLogin],
    },
    ...[0, 1, 5, 255].map((userLevel) => ({
      id: `result-of-${userLevel}`,
      clause: `EnableUserLevel with ${userLevel}, at which nobody can log in, answers result 2, NOT_ACCEPTED.`,
      ...decided,
      steps: [enable({ userLevel, isEnabled: true }, result(2))],
    })),
    {
      id: 'user-level-range',
      clause: 'userLevel of EnableUserLevel has 8 bits without a sign: other numbers answer status 6.',
      steps: [
        enable({ userLevel: 256, isEnabled: true }, { status: 6 }),
        enable({ userLevel: -1, isEnabled: true }, { status: 6 }),
      ],
    },
    {
      id: 'user-level-type',
      clause: 'userLevel of EnableUserLevel that is no whole number answers status 2.',
      steps: [
        enable({ userLevel: 'Service', isEnabled: true }, { status: 2 }),
        enable({ userLevel: 4.5, isEnabled: true }, { status: 2 }),
      ],
    },
    {
      id: 'is-enabled-type',
      clause: 'isEnabled of EnableUserLevel that is no boolean answers status 2.',
      steps: [
        enable({ userLevel: 4, isEnabled: 1 }, { status: 2 }),
        enable({ userLevel: 4, isEnabled: 'true' }, { status: 2 }),
      ],
    },
    {
      id: 'is-enabled-missing',
      clause: 'EnableUserLevel without isEnabled answers status 1, and disables no level.',
      ...decided,
      ...whileLevelIs(subject, 'Maintenance', true, [
        enable({ userLevel: 2 }, { status: 1 }),
        loginAt('Maintenance'),
      ]),
    },
    {
      id: 'user-level-missing',
      clause: 'EnableUserLevel without userLevel answers status 1.',
      place: 'specification: Errors',
      steps: [enable({ isEnabled: true }, { status: 1 }), enable({}, { status: 1 })],
    },
    {
      id: 'enabling-needs-login',
      clause: 'EnableUserLevel without a login answers status 4, and enables no level.',
      ...whileLevelIs(subject, 'Maintenance', false, [
        post('EnableUserLevel', { status: 4 }, { data: { userLevel: 2, isEnabled: true } }),
        noLoginAt('Maintenance'),
      ]),
    },
    {
      id: 'enabling-needs-service',
      clause: 'EnableUserLevel needs Service: AuthorizedClient gets status 4.',
      ...whileLevelIs(subject, 'AuthorizedClient', true, [
        post(
          'EnableUserLevel',
          { status: 4 },
          { login: { level: 'AuthorizedClient' }, data: { userLevel: 3, isEnabled: true } },
        ),
      ]),
    },
    {
      id: 'no-oracle',
      clause: 'At a disabled level, a wrong password answers status 4 as a right one does.',
      ...decided,
      ...whileLevelIs(subject, 'Maintenance', false, [
        noLoginAt('Maintenance'),
        post(
          'checkCredentials',
          { status: 4 },
          { login: { level: 'Maintenance', password: 'not the password' } },
        ),
        rightLogin,
      ]),
    },
    {
      id: 'disabled-spends',
      clause: 'A login at a disabled level uses its challenge up: the same again answers status 10.',
      ...decided,
      ...whileLevelIs(subject, 'Maintenance', false, [
        post('getChallenge', { status: 0 }, { data: { user: 'Maintenance' }, save: { first: 'challenge' } }),
        post('checkCredentials', { status: 4 }, { login: { level: 'Maintenance', challenge: 'first' } }),
        post('checkCredentials', { status: 10 }, { login: { level: 'Maintenance', challenge: 'first' } }),
      ]),
    },
  );
}

const legacy = (data: Json, expect: AnswerExpectation) => call('EnableLegacyUserLevel', data, expect);
const legacyResult = (value: boolean): AnswerExpectation => ({
  status: 0,
  data: { exactly: { result: { is: value } } },
});

/** EnableLegacyUserLevel, as far as it can be told without the legacy protocol. */
export const legacyEnablingCases = caseList(
  'level',
  {
    place: 'specification: EnableLegacyUserLevel',
    level: 'must',
    stage: 'write',
    names: ['EnableLegacyUserLevel'],
  },
  {
    id: 'legacy-service-enabled',
    clause: 'EnableLegacyUserLevel with 4 and true answers result true.',
    steps: [legacy({ userLevel: 4, isEnabled: true }, legacyResult(true))],
  },
  {
    id: 'legacy-service-not-disabled',
    clause: 'EnableLegacyUserLevel with 4 and false answers result false: Service cannot be disabled.',
    ...decided,
    steps: [legacy({ userLevel: 4, isEnabled: false }, legacyResult(false))],
  },
  ...[0, 1, 5, 7].map((userLevel) => ({
    id: `legacy-result-of-${userLevel}`,
    clause: `EnableLegacyUserLevel with ${userLevel}, at which nobody can log in, answers result false.`,
    ...decided,
    steps: [legacy({ userLevel, isEnabled: true }, legacyResult(false))],
  })),
  {
    id: 'legacy-range',
    clause: 'userLevel of EnableLegacyUserLevel is 0 to 7: 8 answers status 6.',
    steps: [
      legacy({ userLevel: 8, isEnabled: true }, { status: 6 }),
      legacy({ userLevel: -1, isEnabled: true }, { status: 6 }),
    ],
  },
  {
    id: 'legacy-is-enabled-missing',
    clause: 'EnableLegacyUserLevel without isEnabled answers status 1.',
    ...decided,
    steps: [legacy({ userLevel: 4 }, { status: 1 })],
  },
  {
    id: 'legacy-needs-login',
    clause: 'EnableLegacyUserLevel without a login answers status 4.',
    steps: [post('EnableLegacyUserLevel', { status: 4 }, { data: { userLevel: 4, isEnabled: true } })],
  },
  {
    id: 'legacy-switched',
    clause: 'EnableLegacyUserLevel with 2 and 3 answers result true.',
    stage: 'destructive',
    steps: [
      legacy({ userLevel: 2, isEnabled: true }, legacyResult(true)),
      legacy({ userLevel: 3, isEnabled: true }, legacyResult(true)),
      legacy({ userLevel: 2, isEnabled: false }, legacyResult(true)),
      legacy({ userLevel: 3, isEnabled: false }, legacyResult(true)),
    ],
  },
  {
    id: 'legacy-apart',
    clause: 'EnableLegacyUserLevel leaves the levels of REST as they are.',
    ...decided,
    stage: 'destructive',
    steps: [
      call('EnableUserLevel', { userLevel: 2, isEnabled: false }),
      legacy({ userLevel: 2, isEnabled: true }, { status: 0 }),
      noLoginAt('Maintenance'),
      legacy({ userLevel: 2, isEnabled: false }, { status: 0 }),
    ],
  },
);
