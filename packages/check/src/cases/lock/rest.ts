import { call, get, pause, post, repeat, write } from '../../steps/index.js';
import { challenge } from '../auth/challenge.js';
import { rightLogin } from '../auth/login.js';
import { answerTo } from '../auth/pending.js';
import { caseList } from '../case-list.js';
import { earlier, failures, locked, notLocked, unlock } from './steps.js';

const decided = { level: 'should', place: 'Azimuth: rest.md, Failed logins' } as const;
const zeros = '0'.repeat(64);

/** The lock of logins, with the level Service alone. Each case begins with a right login: the counts are 0 then. */
export const lockCases = caseList(
  'lock',
  { place: 'specification: Authentication, rule 5', level: 'must', stage: 'lock', cleanup: unlock },
  {
    id: 'five',
    clause: 'After 5 failed logins in a row, getChallenge answers status 4.',
    steps: [rightLogin, failures(5), locked],
  },
  {
    id: 'four',
    clause: '4 failed logins in a row do not lock.',
    steps: [rightLogin, failures(4), notLocked, rightLogin],
  },
  {
    id: 'right-login',
    clause: 'During the lock, a right login answers status 4, with a challenge that was fetched before.',
    steps: [rightLogin, earlier('first'), failures(5), answerTo('first', 4)],
  },
  {
    id: 'all-levels',
    clause: 'The lock is for everybody: getChallenge answers status 4 for all levels.',
    steps: [
      rightLogin,
      failures(5),
      challenge('Maintenance', { status: 4 }),
      challenge('AuthorizedClient', { status: 4 }),
    ],
  },
  {
    id: 'after-29-s',
    clause: 'The lock lasts 30 s: after 29 s, getChallenge still answers status 4.',
    steps: [rightLogin, failures(5), pause(29), locked],
  },
  {
    id: 'after-30-s',
    clause: 'The lock lasts 30 s: after that, a right login is admitted.',
    steps: [rightLogin, failures(5), pause(30), rightLogin],
  },
  {
    id: 'not-prolonged',
    clause: 'Attempts during the lock do not prolong it.',
    ...decided,
    steps: [
      rightLogin,
      earlier('first'),
      failures(5),
      pause(20),
      locked,
      answerTo('first', 4),
      pause(10),
      rightLogin,
    ],
  },
  {
    id: 'not-counted',
    clause: 'Attempts during the lock do not count as failed logins.',
    ...decided,
    steps: [
      rightLogin,
      earlier('first'),
      failures(5),
      repeat(
        3,
        post(
          'checkCredentials',
          { status: 4 },
          {
            login: { level: 'Service', challenge: 'first', password: 'not the password' },
          },
        ),
      ),
      pause(30),
      failures(4),
      notLocked,
      rightLogin,
    ],
  },
  {
    id: 'challenge-survives',
    clause:
      'A challenge that was refused during the lock is not used up: after the lock, it is good until it expires.',
    ...decided,
    steps: [rightLogin, earlier('first'), failures(5), answerTo('first', 4), pause(30), answerTo('first', 0)],
  },
  {
    id: 'ended-by-success',
    clause: 'A right login ends a row of failed ones: 4 failed, a right one and 4 failed do not lock.',
    steps: [rightLogin, failures(4), rightLogin, failures(4), notLocked, rightLogin],
  },
  {
    id: 'ended-by-write',
    clause: 'A POST with a right login ends a row of failed ones, also if its data is refused.',
    ...decided,
    steps: [
      rightLogin,
      failures(4),
      write('LocationName', 1, { status: 2 }),
      failures(4),
      notLocked,
      rightLogin,
    ],
  },
  {
    id: 'counts-anew',
    clause: 'After the lock, the count begins at 0: 4 failed logins do not lock again.',
    ...decided,
    steps: [rightLogin, failures(5), pause(30), failures(4), notLocked, rightLogin],
  },
  {
    id: 'again',
    clause: 'After a lock, 5 failed logins lock again, for 30 s.',
    steps: [rightLogin, failures(5), pause(30), failures(5), locked, pause(29), locked],
  },
  {
    id: 'no-time-limit',
    clause: 'Failed logins that are minutes apart are still in a row.',
    ...decided,
    steps: [rightLogin, failures(4), pause(61), failures(1), locked],
  },
  {
    id: 'reads',
    clause: 'During the lock, variables can be read.',
    place: 'specification: Authentication',
    steps: [rightLogin, failures(5), get('LocationName', { status: 0 })],
  },
  {
    id: 'open-methods',
    clause: 'During the lock, methods that need no login are done.',
    ...decided,
    names: ['GetWebserverEnabled'],
    steps: [rightLogin, failures(5), post('GetWebserverEnabled', { status: 0 }, { body: {} })],
  },
  {
    id: 'writes',
    clause: 'During the lock, a write with a right login answers status 4 and changes nothing.',
    steps: [
      rightLogin,
      get('LocationName', { status: 0 }, { save: { before: 'data.LocationName' } }),
      earlier('first'),
      failures(5),
      write(
        'LocationName',
        'In the lock',
        { status: 4 },
        { login: { level: 'Service', challenge: 'first' } },
      ),
      get('LocationName', { status: 0, data: { has: { LocationName: { isSaved: 'before' } } } }),
    ],
  },
  {
    id: 'name-and-body',
    clause:
      'During the lock, an unknown name answers status 5, a read-only variable 8, and a broken body 1, as ever.',
    ...decided,
    steps: [
      rightLogin,
      failures(5),
      post('ThereIsNoSuchName', { status: 5 }, { body: {} }),
      post('SerialNumber', { status: 8 }, { body: {} }),
      post('WriteEeprom', { status: 1 }, { body: '{' }),
    ],
  },
  {
    id: 'challenge-data',
    clause: 'During the lock, getChallenge tells what is wrong with its data, and nothing about names.',
    ...decided,
    steps: [
      rightLogin,
      failures(5),
      post('getChallenge', { status: 1 }, { body: {} }),
      challenge(4, { status: 2 }),
      challenge('Nobody', { status: 4 }),
      challenge('Authorized Client', { status: 4 }),
    ],
  },
  {
    id: 'other-endpoint-counts',
    clause: 'A hash for another endpoint is a failed login: 5 of them lock.',
    ...decided,
    steps: [
      rightLogin,
      repeat(
        5,
        post('checkCredentials', { status: 4 }, { login: { level: 'Service', endpoint: 'WriteEeprom' } }),
      ),
      locked,
    ],
  },
  {
    id: 'any-endpoint-counts',
    clause: 'Failed logins count at all endpoints together.',
    steps: [
      rightLogin,
      failures(2),
      repeat(
        3,
        post('WriteEeprom', { status: 4 }, { login: { level: 'Service', password: 'not the password' } }),
      ),
      locked,
    ],
  },
  {
    id: 'wrong-user-counts',
    clause: 'A header with another user than the challenge is a failed login: 5 of them lock.',
    ...decided,
    steps: [rightLogin, failures(5, 'Service', { header: { user: 'Maintenance' } }), locked],
  },
  {
    id: 'missing-header',
    clause: 'A POST without a header does not count as a failed login.',
    ...decided,
    steps: [
      rightLogin,
      repeat(6, post('checkCredentials', { status: 4 }, { body: {} })),
      notLocked,
      rightLogin,
    ],
  },
  {
    id: 'missing-member',
    clause: 'A header without all of its five members does not count as a failed login.',
    ...decided,
    steps: [rightLogin, failures(6, 'Service', { header: { response: null } }), notLocked, rightLogin],
  },
  {
    id: 'foreign-nonce',
    clause: 'A nonce that the scanner has never issued does not count as a failed login.',
    ...decided,
    steps: [rightLogin, failures(6, 'Service', { header: { nonce: 'a'.repeat(64) } }), notLocked, rightLogin],
  },
  {
    id: 'spent-challenge',
    clause: 'A challenge that was used before does not count as a failed login.',
    ...decided,
    steps: [
      rightLogin,
      earlier('first'),
      answerTo('first', 0),
      repeat(6, answerTo('first', 10)),
      notLocked,
      rightLogin,
    ],
  },
  {
    id: 'open-methods-do-not-count',
    clause: 'A wrong header at a method that needs no login does not count.',
    ...decided,
    names: ['GetWebserverEnabled'],
    steps: [
      rightLogin,
      repeat(
        6,
        call(
          'GetWebserverEnabled',
          undefined,
          { status: 0 },
          {
            login: { level: 'Service', header: { response: zeros } },
          },
        ),
      ),
      notLocked,
      rightLogin,
    ],
  },
  {
    id: 'open-methods-do-not-clear',
    clause: 'A right header at a method that needs no login does not end a row of failed logins.',
    ...decided,
    names: ['GetWebserverEnabled'],
    steps: [rightLogin, failures(4), call('GetWebserverEnabled', undefined), failures(1), locked],
  },
  {
    id: 'unknown-users',
    clause: 'A getChallenge for an unknown user does not count as a failed login.',
    ...decided,
    steps: [rightLogin, repeat(6, challenge('Nobody', { status: 3 })), notLocked, rightLogin],
  },
);
