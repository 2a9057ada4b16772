import type { Json, Matcher } from '../../match/matcher.js';
import type { CheckSubject } from '../../scanner/checked-scanner.js';
import {
  type AnswerExpectation,
  call,
  type PasswordMessageStep,
  passwordMessage,
  post,
  type Step,
} from '../../steps/index.js';
import { challenge } from '../auth/challenge.js';
import { rightLogin } from '../auth/login.js';
import { answerTo } from '../auth/pending.js';
import type { ConformanceCase } from '../case.js';
import { caseList, type ListedCase } from '../case-list.js';
import { loginAt, switchLevel, whileLevelIs } from '../levels.js';

const decided = { level: 'should', place: 'Azimuth: design, REST: the exact rules' } as const;

/** changePassword with the saved message, or with other bytes. */
export function changePassword(
  userLevel: Json,
  expect: AnswerExpectation,
  encryptedMessage: Json = { saved: 'message' },
): Step {
  return post('changePassword', expect, { data: { encryptedMessage, userLevel } });
}

export const passwordResult = (value: number): AnswerExpectation => ({
  status: 0,
  data: { exactly: { result: { is: value } } },
});

/** A message that is refused with result 2, and then a right login: it counts as a failed one. */
function notAccepted(
  id: string,
  clause: string,
  options: Partial<Omit<PasswordMessageStep, 'kind' | 'level' | 'save'>>,
): ListedCase {
  return {
    id,
    clause,
    steps: [
      passwordMessage('Service', 'message', options),
      changePassword('Service', passwordResult(2)),
      rightLogin,
    ],
  };
}

const saltOf = (matcher: Matcher): AnswerExpectation => ({
  status: 0,
  body: { has: { challenge: { has: { salt: matcher } } } },
});

/** changePassword. In the stage write, a password is changed to itself with a new salt. */
export function passwordCases(subject: CheckSubject): readonly ConformanceCase[] {
  return caseList(
    'level.password',
    { place: 'specification: changePassword', level: 'must', stage: 'write', names: ['changePassword'] },
    {
      id: 'success',
      clause: 'changePassword with a message that proves the old password answers result 0, without a login.',
      steps: [
        passwordMessage('Service', 'message'),
        changePassword('Service', passwordResult(0)),
        rightLogin,
      ],
    },
    {
      id: 'new-salt',
      clause: 'After changePassword, getChallenge has the salt of the message.',
      level: 'should',
      place: 'family: changePassword of devices',
      steps: [
        challenge('Service', { status: 0 }, { salt: 'challenge.salt' }),
        passwordMessage('Service', 'message'),
        changePassword('Service', passwordResult(0)),
        challenge('Service', saltOf({ not: { isSaved: 'salt' } })),
        rightLogin,
      ],
    },
    {
      id: 'other-salts',
      clause: 'changePassword leaves the salts of other levels as they are.',
      ...decided,
      steps: [
        challenge('Maintenance', { status: 0 }, { salt: 'challenge.salt' }),
        passwordMessage('Service', 'message'),
        changePassword('Service', passwordResult(0)),
        challenge('Maintenance', saltOf({ isSaved: 'salt' })),
      ],
    },
    {
      id: 'voids-challenges',
      clause:
        'changePassword invalidates the challenges that were fetched before: a POST with one answers status 10.',
      ...decided,
      steps: [
        passwordMessage('Service', 'message'),
        challenge('Service', { status: 0 }, { first: 'challenge' }),
        changePassword('Service', passwordResult(0)),
        answerTo('first', 10),
        rightLogin,
      ],
    },
    {
      id: 'message-once',
      clause: 'A message of changePassword is good once: sent again, it answers result 2.',
      ...decided,
      steps: [
        passwordMessage('Service', 'message'),
        changePassword('Service', passwordResult(0)),
        changePassword('Service', passwordResult(2)),
        rightLogin,
      ],
    },
    {
      id: 'superfluous-header',
      clause: 'changePassword needs no login. A header is ignored, right or wrong.',
      level: 'should',
      place: 'family: what clients send',
      steps: [
        passwordMessage('Service', 'message'),
        call(
          'changePassword',
          { encryptedMessage: { saved: 'message' }, userLevel: 'Service' },
          passwordResult(0),
          { login: { level: 'Service', header: { response: 'wrong' } } },
        ),
        rightLogin,
      ],
    },
    notAccepted(
      'wrong-old-password',
      'A message that proves another password answers result 2, NOT_ACCEPTED.',
      {
        from: 'not the password',
      },
    ),
    notAccepted('wrong-mac', 'A message whose last byte is wrong answers result 2.', { wrongByte: 95 }),
    notAccepted(
      'wrong-mac-begin',
      'A message whose 65th byte, the first of its mac, is wrong answers result 2.',
      {
        wrongByte: 64,
      },
    ),
    notAccepted('wrong-iv', 'A message whose first byte is wrong answers result 2.', { wrongByte: 0 }),
    notAccepted('wrong-text', 'A message whose encrypted part has a wrong byte answers result 2.', {
      wrongByte: 40,
    }),
    notAccepted('short', 'A message of 95 bytes answers result 2.', { bytes: 95 }),
    notAccepted('empty', 'A message of no bytes answers result 2.', { bytes: 0 }),
    {
      id: 'refused-changes-nothing',
      clause: 'A message that is refused leaves the password and its salt as they are.',
      steps: [
        challenge('Service', { status: 0 }, { salt: 'challenge.salt' }),
        passwordMessage('Service', 'message', { wrongByte: 95 }),
        changePassword('Service', { status: 0 }),
        challenge('Service', saltOf({ isSaved: 'salt' })),
        rightLogin,
      ],
    },
    {
      id: 'too-long',
      clause: 'A message of more than 96 items answers status 7.',
      place: 'specification: Limits',
      steps: [
        changePassword(
          'Service',
          { status: 7 },
          Array.from({ length: 97 }, () => 1),
        ),
      ],
    },
    {
      id: 'items',
      clause: 'The items of a message are bytes: 256 answers status 6, a text status 2.',
      place: 'specification: Errors',
      steps: [
        changePassword('Service', { status: 6 }, [256]),
        changePassword('Service', { status: 2 }, ['1']),
      ],
    },
    {
      id: 'other-level',
      clause: 'A message that was made for another level answers result 2.',
      ...decided,
      ...whileLevelIs(subject, 'Maintenance', true, [
        passwordMessage('Service', 'message'),
        changePassword('Maintenance', passwordResult(2)),
        loginAt('Maintenance'),
        rightLogin,
      ]),
    },
    {
      id: 'level-without-password',
      clause: 'Run and Operator have no password: result 4, PWD_NOT_CHANGABLE.',
      ...decided,
      steps: [
        changePassword('Run', passwordResult(4), []),
        changePassword('Operator', passwordResult(4), []),
      ],
    },
    {
      id: 'disabled',
      clause: 'The password of a disabled level cannot be changed: result 4, also for a right message.',
      ...decided,
      names: ['EnableUserLevel'],
      ...whileLevelIs(subject, 'Maintenance', false, [
        passwordMessage('Maintenance', 'message', { to: 'another password' }),
        changePassword('Maintenance', passwordResult(4)),
        switchLevel('Maintenance', true),
        loginAt('Maintenance'),
      ]),
    },
    {
      id: 'unknown-level',
      clause: 'A userLevel that is no level answers status 9.',
      place: 'specification: Errors',
      steps: [changePassword('Nobody', { status: 9 }, []), changePassword('service', { status: 9 }, [])],
    },
    {
      id: 'level-with-blank',
      clause: 'The level name Authorized Client with a blank answers status 7.',
      place: 'specification: Errors',
      steps: [changePassword('Authorized Client', { status: 7 }, [])],
    },
    {
      id: 'level-of-wrong-type',
      clause: 'A userLevel that is no text answers status 2.',
      ...decided,
      steps: [changePassword(4, { status: 2 }, [])],
    },
    {
      id: 'missing',
      clause: 'changePassword without userLevel or encryptedMessage answers status 1.',
      place: 'specification: Errors',
      steps: [
        post('changePassword', { status: 1 }, { data: { encryptedMessage: [] } }),
        post('changePassword', { status: 1 }, { data: { userLevel: 'Run' } }),
        post('changePassword', { status: 1 }, { body: {} }),
      ],
    },
    {
      id: 'changed',
      clause: 'After changePassword, the new password is right and the old one wrong.',
      stage: 'destructive',
      ...whileLevelIs(subject, 'Maintenance', true, [
        passwordMessage('Maintenance', 'message', { to: 'Prüf 3 €' }),
        changePassword('Maintenance', passwordResult(0)),
        post('checkCredentials', { status: 4 }, { login: { level: 'Maintenance' } }),
        post('checkCredentials', { status: 0 }, { login: { level: 'Maintenance', password: 'Prüf 3 €' } }),
        passwordMessage('Maintenance', 'message', { from: 'Prüf 3 €' }),
        changePassword('Maintenance', passwordResult(0)),
        loginAt('Maintenance'),
      ]),
    },
  );
}

/** SetPassword, as far as it can be told without the legacy protocol. */
export function legacyPasswordCases(subject: CheckSubject): readonly ConformanceCase[] {
  const set = (siUserLevel: Json, udiNewPassword: Json, expect: AnswerExpectation) =>
    call('SetPassword', { siUserLevel, udiNewPassword }, expect);
  const success = (value: boolean): AnswerExpectation => ({
    status: 0,
    data: { exactly: { bSuccess: { is: value } } },
  });
  return caseList(
    'level.legacy-password',
    { place: 'specification: SetPassword', level: 'must', stage: 'write', names: ['SetPassword'] },
    ...[-1, 0, 1, 5, 127].map((level) => ({
      id: level < 0 ? 'below-levels' : `level-${level}`,
      clause: `SetPassword for the level ${level}, at which nobody can log in, answers bSuccess false.`,
      ...decided,
      steps: [set(level, 1, success(false))],
    })),
    {
      id: 'level-range',
      clause: 'siUserLevel has 8 bits with a sign: 128 answers status 6.',
      steps: [set(128, 1, { status: 6 }), set(-129, 1, { status: 6 })],
    },
    {
      id: 'hash-range',
      clause: 'udiNewPassword has 32 bits without a sign: other numbers answer status 6.',
      steps: [
        set(0, 4294967296, { status: 6 }),
        set(0, -1, { status: 6 }),
        set(0, 4294967295, { status: 0 }),
      ],
    },
    {
      id: 'hash-type',
      clause: 'udiNewPassword that is no number answers status 2.',
      place: 'specification: Errors',
      steps: [set(0, 'password', { status: 2 })],
    },
    {
      id: 'missing',
      clause: 'SetPassword without a member answers status 1.',
      place: 'specification: Errors',
      steps: [
        call('SetPassword', { siUserLevel: 0 }, { status: 1 }),
        call('SetPassword', { udiNewPassword: 1 }, { status: 1 }),
      ],
    },
    {
      id: 'needs-login',
      clause:
        'SetPassword without a login answers status 4: otherwise anybody could take the legacy interface.',
      ...decided,
      steps: [post('SetPassword', { status: 4 }, { data: { siUserLevel: 0, udiNewPassword: 1 } })],
    },
    {
      id: 'higher-level',
      clause: 'AuthorizedClient may not set the legacy password of Service: status 4.',
      ...decided,
      ...whileLevelIs(subject, 'AuthorizedClient', true, [
        post(
          'SetPassword',
          { status: 4 },
          { login: { level: 'AuthorizedClient' }, data: { siUserLevel: 0, udiNewPassword: 1 } },
        ),
      ]),
    },
    {
      id: 'success',
      clause: 'SetPassword by Service answers bSuccess true for each level that can log in.',
      stage: 'destructive',
      // Hashes of the factory passwords.
      steps: [
        set(2, 0xb21ace26, success(true)),
        set(3, 0xf4724744, success(true)),
        set(4, 0x81be23aa, success(true)),
      ],
    },
    {
      id: 'own-level',
      clause: 'AuthorizedClient may set its own legacy password, and not that of Service.',
      ...decided,
      stage: 'destructive',
      ...whileLevelIs(subject, 'AuthorizedClient', true, [
        post('SetPassword', success(true), {
          login: { level: 'AuthorizedClient' },
          data: { siUserLevel: 3, udiNewPassword: 0xf4724744 },
        }),
        post(
          'SetPassword',
          { status: 4 },
          { login: { level: 'AuthorizedClient' }, data: { siUserLevel: 4, udiNewPassword: 0x81be23aa } },
        ),
      ]),
    },
    {
      id: 'apart',
      clause: 'SetPassword leaves the password of REST as it is.',
      stage: 'destructive',
      steps: [set(4, 12345, success(true)), rightLogin, set(4, 0x81be23aa, success(true))],
    },
  );
}
