import { call, legacyLevel, type Step } from '../../steps/index.js';
import type { ConformanceCase } from '../case.js';
import {
  ask,
  denied,
  type Form,
  granted,
  inBothForms,
  legacyCase,
  login,
  over,
  textForm,
} from './telegrams.js';

const place = 'guide: All telegrams';
const family = 'family: levels and passwords';

/** A write that changes nothing for people: the level tells whether it is carried out. */
const mayWrite = (form: Form, connection?: string): Step =>
  ask(form, 'sWN MCSenseLevel 1', { answer: 'sWA MCSenseLevel' }, 'u8', named(connection));
const mayNotWrite = (form: Form, connection?: string): Step =>
  ask(form, 'sWN MCSenseLevel 1', { error: 0xa }, 'u8', named(connection));

function named(connection: string | undefined) {
  return connection === undefined ? {} : { connection };
}

const run = (form: Form): Step => ask(form, 'sMN Run', granted('Run'));
const wrongPassword = 'not the password';

const facts = { stage: 'write', names: ['MCSenseLevel'], changes: ['MCSenseLevel'] } as const;

export const levelCases: readonly ConformanceCase[] = [
  ...inBothForms((form) => ({
    id: 'level.login',
    clause:
      'SetAccessMode with the level and the hash of its password answers 1. The connection may write then.',
    place,
    level: 'must',
    ...facts,
    steps: [mayNotWrite(form), login(form), mayWrite(form)],
  })),
  ...inBothForms((form) => ({
    id: 'level.run',
    clause: 'Run answers 1, and the connection has no level then.',
    place,
    level: 'must',
    ...facts,
    steps: [login(form), mayWrite(form), run(form), mayNotWrite(form)],
  })),
  ...inBothForms((form) => ({
    id: 'level.wrong-password',
    clause: 'SetAccessMode with a wrong hash answers 0, not an error, and gives no level.',
    place: family,
    level: 'must',
    ...facts,
    steps: [
      over(
        form,
        { login: { method: 'SetAccessMode', level: 'Service', password: wrongPassword } },
        denied('SetAccessMode'),
      ),
      mayNotWrite(form),
      login(form),
    ],
  })),
  ...inBothForms((form) => ({
    id: 'level.wrong-password-keeps',
    clause: 'A failed login leaves the connection at the level that it had.',
    place: family,
    level: 'should',
    ...facts,
    steps: [
      login(form),
      over(
        form,
        { login: { method: 'SetAccessMode', level: 'Service', password: wrongPassword } },
        denied('SetAccessMode'),
      ),
      mayWrite(form),
      login(form),
    ],
  })),
  ...inBothForms((form) => ({
    id: 'level.check-password',
    clause: 'CheckPassword answers 1 for the right hash and 0 for a wrong one, and does not log in.',
    place,
    level: 'must',
    ...facts,
    steps: [
      over(
        form,
        { login: { method: 'CheckPassword', level: 'Service', password: wrongPassword } },
        denied('CheckPassword'),
      ),
      over(form, { login: { method: 'CheckPassword', level: 'Service' } }, granted('CheckPassword')),
      mayNotWrite(form),
    ],
  })),
  ...inBothForms((form) => ({
    id: 'level.of-connection',
    clause: 'A login is valid for its connection alone.',
    place: family,
    level: 'must',
    ...facts,
    steps: [login(form), mayNotWrite(form, 'other'), mayWrite(form)],
  })),
  legacyCase({
    id: 'level.ends-with-connection',
    clause: 'The next connection begins without a level.',
    place: family,
    level: 'must',
    ...facts,
    steps: [login(textForm), over(textForm, { close: true }, {}), mayNotWrite(textForm)],
  }),
  legacyCase({
    id: 'level.run-is-of-connection',
    clause: 'Run of one connection leaves the level of the others.',
    place: family,
    level: 'should',
    ...facts,
    steps: [
      login(textForm),
      login(textForm, 'Service', { connection: 'other' }),
      run(textForm),
      mayWrite(textForm, 'other'),
    ],
  }),
  ...inBothForms((form) => ({
    id: 'level.zero',
    clause: 'SetAccessMode 0 is Run: it accepts any hash, and takes the level away.',
    place: 'Azimuth: legacy protocol',
    level: 'should',
    ...facts,
    steps: [
      login(form),
      ask(form, 'sMN SetAccessMode 0 12345678', granted('SetAccessMode'), 'i8 u32'),
      mayNotWrite(form),
    ],
  })),
  ...inBothForms((form) => ({
    id: 'level.unknown',
    clause: 'Nobody can log in at level 1, 5 or 7: the answer is 0.',
    place: 'Azimuth: legacy protocol',
    level: 'should',
    ...facts,
    steps: [
      ask(form, 'sMN SetAccessMode 1 0', denied('SetAccessMode'), 'i8 u32'),
      ask(form, 'sMN SetAccessMode 5 0', denied('SetAccessMode'), 'i8 u32'),
      ask(form, 'sMN SetAccessMode 7 81BE23AA', denied('SetAccessMode'), 'i8 u32'),
      mayNotWrite(form),
    ],
  })),
  legacyCase({
    id: 'level.number-with-zero',
    clause: 'The level may have a leading zero: SetAccessMode 04.',
    place: 'family: operating instructions',
    level: 'should',
    ...facts,
    steps: [ask(textForm, 'sMN CheckPassword 00 81BE23AA', granted('CheckPassword'))],
  }),
  ...inBothForms((form) => ({
    id: 'level.switched-off',
    clause:
      'A login at a level that is switched off answers 0, as with a wrong password. The write behind it answers sFA A.',
    place: family,
    level: 'must',
    ...facts,
    names: ['MCSenseLevel', 'EnableLegacyUserLevel'],
    steps: [legacyLevel('AuthorizedClient', false), level(form, denied), mayNotWrite(form)],
  })),
  ...inBothForms((form) => ({
    id: 'level.switched-on',
    clause: 'EnableLegacyUserLevel switches AuthorizedClient on: its login answers 1, and it may write.',
    place,
    level: 'must',
    ...facts,
    names: ['MCSenseLevel', 'EnableLegacyUserLevel'],
    steps: [
      legacyLevel('AuthorizedClient', false),
      login(form, 'Service', { connection: 'service' }),
      ask(form, 'sMN EnableLegacyUserLevel 3 1', granted('EnableLegacyUserLevel'), 'u8 bool', {
        connection: 'service',
      }),
      level(form, granted),
      mayWrite(form),
    ],
  })),
  legacyCase({
    id: 'level.switched-off-in-use',
    clause: 'If a level is switched off, connections that are logged in at it have no level any more.',
    place: 'Azimuth: legacy protocol',
    level: 'should',
    ...facts,
    names: ['MCSenseLevel', 'EnableLegacyUserLevel'],
    steps: [
      legacyLevel('AuthorizedClient'),
      level(textForm, granted),
      mayWrite(textForm),
      legacyLevel('AuthorizedClient', false),
      mayNotWrite(textForm),
    ],
  }),
  legacyCase({
    id: 'level.authorized-client',
    clause: 'AuthorizedClient may not write what needs Service: EtherSessionTimeout answers sFA A.',
    place,
    level: 'must',
    stage: 'write',
    names: ['EtherSessionTimeout', 'EnableLegacyUserLevel'],
    changes: ['EtherSessionTimeout'],
    steps: [
      legacyLevel('AuthorizedClient'),
      level(textForm, granted),
      ask(textForm, 'sWN EtherSessionTimeout +15000', { error: 0xa }),
    ],
  }),
  legacyCase({
    id: 'level.maintenance',
    clause: 'Maintenance may not write what needs AuthorizedClient.',
    place: 'family: levels are ordered',
    level: 'must',
    ...facts,
    names: ['MCSenseLevel', 'EnableLegacyUserLevel'],
    steps: [
      legacyLevel('Maintenance'),
      over(textForm, { login: { method: 'SetAccessMode', level: 'Maintenance' } }, granted('SetAccessMode')),
      mayNotWrite(textForm),
    ],
  }),
  legacyCase({
    id: 'level.other-password',
    clause: 'The password of one level is not good for another.',
    place: family,
    level: 'must',
    ...facts,
    names: ['MCSenseLevel', 'EnableLegacyUserLevel'],
    steps: [
      legacyLevel('AuthorizedClient'),
      ask(textForm, 'sMN CheckPassword 4 B21ACE26', denied('CheckPassword')),
      login(textForm),
    ],
  }),
  legacyCase({
    id: 'level.set-password',
    clause:
      'SetPassword gives a level another password. Connections that were logged in with the old one have no level any more.',
    place,
    level: 'must',
    ...facts,
    names: ['MCSenseLevel', 'EnableLegacyUserLevel'],
    steps: [
      legacyLevel('AuthorizedClient'),
      level(textForm, granted),
      login(textForm, 'Service', { connection: 'service' }),
      ask(textForm, 'sMN SetPassword 3 1920E4C9', granted('SetPassword'), undefined, {
        connection: 'service',
      }),
      mayNotWrite(textForm),
      ask(textForm, 'sMN SetAccessMode 3 1920E4C9', granted('SetAccessMode')),
      mayWrite(textForm),
      over(
        textForm,
        { login: { method: 'SetPassword', level: 'AuthorizedClient' } },
        granted('SetPassword'),
        {
          connection: 'service',
        },
      ),
      level(textForm, granted),
    ],
    cleanup: [
      login(textForm, 'Service', { connection: 'cleanup' }),
      over(
        textForm,
        { login: { method: 'SetPassword', level: 'AuthorizedClient' } },
        granted('SetPassword'),
        {
          connection: 'cleanup',
        },
      ),
    ],
  }),
  ...inBothForms((form) => ({
    id: 'level.reads-need-none',
    clause: 'Reads and subscriptions need no login.',
    place: family,
    level: 'must',
    stage: 'read',
    steps: [
      ask(form, 'sRN SerialNumber', { answer: 'sRA SerialNumber', gives: 'string', sameAs: 'SerialNumber' }),
      ask(form, 'sEN SCdevicestate 1', { answer: 'sEA SCdevicestate', gives: 'enum8' }, 'enum8'),
    ],
  })),
];

function level(form: Form, answer: typeof granted): Step {
  return over(
    form,
    { login: { method: 'SetAccessMode', level: 'AuthorizedClient' } },
    answer('SetAccessMode'),
  );
}

const wrongLogin = (connection?: string): Step =>
  over(
    textForm,
    { login: { method: 'SetAccessMode', level: 'Service', password: wrongPassword } },
    denied('SetAccessMode'),
    named(connection),
  );

const rightLogin = (answer: typeof granted, connection?: string): Step =>
  over(
    textForm,
    { login: { method: 'SetAccessMode', level: 'Service' } },
    answer('SetAccessMode'),
    named(connection),
  );

const times = (count: number, step: Step): readonly Step[] => Array.from({ length: count }, () => step);

const lockPlace = 'guide: Users, lock, factory reset';

export const lockCases: readonly ConformanceCase[] = [
  legacyCase({
    id: 'lock.five',
    clause: 'After five wrong logins, the right one answers 0, too, on every connection.',
    place: lockPlace,
    level: 'must',
    stage: 'lock',
    steps: [
      rightLogin(granted),
      ...times(3, wrongLogin()),
      ...times(2, wrongLogin('other')),
      rightLogin(denied),
      rightLogin(denied, 'third'),
      { kind: 'pause', seconds: 31 },
      rightLogin(granted),
    ],
  }),
  legacyCase({
    id: 'lock.four',
    clause: 'Four wrong logins do not lock, and a right one makes the count begin anew.',
    place: lockPlace,
    level: 'must',
    stage: 'lock',
    steps: [
      rightLogin(granted),
      ...times(4, wrongLogin()),
      rightLogin(granted),
      ...times(4, wrongLogin()),
      rightLogin(granted),
    ],
  }),
  legacyCase({
    id: 'lock.thirty-seconds',
    clause:
      'The lock holds for 30 s: 29 s after the fifth wrong login the right one still answers 0, after 31 s it answers 1.',
    place: lockPlace,
    level: 'must',
    stage: 'lock',
    steps: [
      rightLogin(granted),
      ...times(5, wrongLogin()),
      { kind: 'pause', seconds: 28.5 },
      rightLogin(denied),
      { kind: 'pause', seconds: 2.5 },
      rightLogin(granted),
    ],
  }),
  legacyCase({
    id: 'lock.check-password',
    clause: 'CheckPassword with a wrong hash counts as a wrong login, and answers 0 while logins are locked.',
    place: 'Azimuth: legacy protocol',
    level: 'should',
    stage: 'lock',
    steps: [
      rightLogin(granted),
      ...times(
        5,
        over(
          textForm,
          { login: { method: 'CheckPassword', level: 'Service', password: wrongPassword } },
          denied('CheckPassword'),
        ),
      ),
      rightLogin(denied),
      over(textForm, { login: { method: 'CheckPassword', level: 'Service' } }, denied('CheckPassword')),
      { kind: 'pause', seconds: 31 },
      rightLogin(granted),
    ],
  }),
  legacyCase({
    id: 'lock.logged-in',
    clause: 'A connection that is logged in keeps its level while logins are locked.',
    place: 'Azimuth: legacy protocol',
    level: 'should',
    ...facts,
    stage: 'lock',
    steps: [
      rightLogin(granted, 'inside'),
      ...times(5, wrongLogin()),
      mayWrite(textForm, 'inside'),
      { kind: 'pause', seconds: 31 },
      rightLogin(granted),
    ],
  }),
  legacyCase({
    id: 'lock.not-rest',
    clause: 'Wrong legacy logins do not lock logins over REST.',
    place: 'Azimuth: legacy protocol',
    level: 'should',
    stage: 'lock',
    names: ['checkCredentials'],
    steps: [
      rightLogin(granted),
      ...times(5, wrongLogin()),
      call('checkCredentials', undefined, { status: 0 }),
      { kind: 'pause', seconds: 31 },
      rightLogin(granted),
    ],
  }),
  legacyCase({
    id: 'lock.switched-off-level',
    clause: 'Logins at a level that is switched off do not count as wrong ones.',
    place: 'Azimuth: legacy protocol',
    level: 'should',
    stage: 'lock',
    names: ['EnableLegacyUserLevel'],
    steps: [
      legacyLevel('AuthorizedClient', false),
      ...times(
        6,
        over(
          textForm,
          { login: { method: 'SetAccessMode', level: 'AuthorizedClient', password: wrongPassword } },
          denied('SetAccessMode'),
        ),
      ),
      rightLogin(granted),
    ],
  }),
];
