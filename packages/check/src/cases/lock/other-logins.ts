import { passwordMessage, pause, post, repeat } from '../../steps/index.js';
import { rightLogin } from '../auth/login.js';
import { caseList } from '../case-list.js';
import { changePassword, passwordResult } from '../level/passwords.js';
import { failures, locked, notLocked, unlock } from './steps.js';

const wrongMessage = passwordMessage('Service', 'message', { wrongByte: 95 });
const notAccepted = changePassword('Service', passwordResult(2));

/** changePassword counts as a login. */
export const passwordLockCases = caseList(
  'lock.password',
  {
    place: 'Azimuth: rest.md, Failed logins',
    level: 'should',
    stage: 'lock',
    names: ['changePassword'],
    cleanup: unlock,
  },
  {
    id: 'five',
    clause: '5 messages of changePassword that are not accepted lock logins.',
    steps: [rightLogin, wrongMessage, repeat(5, notAccepted), locked],
  },
  {
    id: 'together',
    clause: 'Messages of changePassword and logins count together.',
    steps: [rightLogin, wrongMessage, failures(3), repeat(2, notAccepted), locked],
  },
  {
    id: 'short-message',
    clause: 'A message of changePassword that is too short counts as a failed login.',
    steps: [rightLogin, repeat(5, changePassword('Service', passwordResult(2), [1, 2, 3])), locked],
  },
  {
    id: 'time-lock',
    clause: 'During the lock, changePassword answers result 5, TIMELOCK_ACTIVE, also for a right message.',
    level: 'must',
    place: 'specification: changePassword',
    steps: [
      rightLogin,
      passwordMessage('Service', 'message'),
      failures(5),
      changePassword('Service', passwordResult(5)),
    ],
  },
  {
    id: 'time-lock-over',
    clause: 'After the lock, changePassword accepts messages again.',
    level: 'must',
    place: 'specification: changePassword',
    steps: [
      rightLogin,
      passwordMessage('Service', 'message'),
      failures(5),
      pause(30),
      changePassword('Service', passwordResult(0)),
      rightLogin,
    ],
  },
  {
    id: 'success-clears',
    clause: 'A message of changePassword that is accepted ends a row of failed logins.',
    steps: [
      rightLogin,
      failures(4),
      passwordMessage('Service', 'message'),
      changePassword('Service', passwordResult(0)),
      failures(4),
      notLocked,
      rightLogin,
    ],
  },
  {
    id: 'level-without-password',
    clause: 'changePassword for Run or Operator does not count as a failed login.',
    steps: [rightLogin, repeat(6, changePassword('Operator', passwordResult(4), [])), notLocked, rightLogin],
  },
);

const wrongBasic = post(
  'CreateSessionToken',
  { status: 4 },
  { basic: { level: 'Service', password: 'not the password' } },
);

/** HTTP Basic counts as a login. */
export const basicLockCases = caseList(
  'lock.basic',
  {
    place: 'Azimuth: rest.md, Failed logins',
    level: 'should',
    stage: 'lock',
    names: ['CreateSessionToken'],
    cleanup: unlock,
  },
  {
    id: 'five',
    clause: '5 wrong passwords by HTTP Basic lock logins.',
    steps: [rightLogin, repeat(5, wrongBasic), locked],
  },
  {
    id: 'together',
    clause: 'Wrong passwords by HTTP Basic and logins with a challenge count together.',
    steps: [rightLogin, failures(3), repeat(2, wrongBasic), locked],
  },
  {
    id: 'right',
    clause: 'During the lock, the right password by HTTP Basic answers status 4.',
    steps: [
      rightLogin,
      failures(5),
      post('CreateSessionToken', { status: 4 }, { basic: { level: 'Service' } }),
    ],
  },
  {
    id: 'unknown-user',
    clause: 'HTTP Basic with an unknown user does not count as a failed login.',
    steps: [
      rightLogin,
      repeat(6, post('CreateSessionToken', { status: 4 }, { basic: { level: 'Service', user: 'admin' } })),
      notLocked,
      rightLogin,
    ],
  },
);
