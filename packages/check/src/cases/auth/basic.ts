import { passwordMessage, post, type Step } from '../../steps/index.js';
import { caseList } from '../case-list.js';
import { rightLogin } from './login.js';

/** A login by HTTP Basic while the password of Service is this one. */
function basicWith(password: string): { readonly steps: readonly Step[]; readonly cleanup: readonly Step[] } {
  const changed = (message: Step): readonly Step[] => [
    message,
    post('changePassword', {}, { data: { encryptedMessage: { saved: 'message' }, userLevel: 'Service' } }),
  ];
  return {
    steps: [
      ...changed(passwordMessage('Service', 'message', { to: password })),
      post('CreateSessionToken', { status: 0 }, { basic: { level: 'Service', password } }),
    ],
    cleanup: changed(passwordMessage('Service', 'message', { from: password })),
  };
}

/** HTTP Basic, in place of a challenge. */
export const basicCases = caseList(
  'auth.basic',
  { level: 'should', place: 'guide: Firmware update', stage: 'write', names: ['CreateSessionToken'] },
  {
    id: 'right',
    clause: 'CreateSessionToken accepts the password of Service by HTTP Basic.',
    steps: [post('CreateSessionToken', { status: 0 }, { basic: { level: 'Service' } })],
  },
  {
    id: 'wrong',
    clause: 'CreateSessionToken with a wrong password by HTTP Basic answers status 4.',
    steps: [
      post(
        'CreateSessionToken',
        { status: 4 },
        { basic: { level: 'Service', password: 'not the password' } },
      ),
      rightLogin,
    ],
  },
  {
    id: 'unknown-user',
    clause: 'CreateSessionToken with an unknown user by HTTP Basic answers status 4.',
    steps: [
      post('CreateSessionToken', { status: 4 }, { basic: { level: 'Service', user: 'service' } }),
      rightLogin,
    ],
  },
  {
    id: 'other-methods',
    clause: 'Other methods than CreateSessionToken do not accept HTTP Basic: status 4.',
    place: 'specification: Authentication',
    level: 'must',
    steps: [post('checkCredentials', { status: 4 }, { basic: { level: 'Service' } }), rightLogin],
  },
  {
    id: 'header-first',
    clause:
      'If a body has the header of a login, HTTP Basic is not looked at: a wrong header answers status 4.',
    place: 'Azimuth: backup.md, Session tokens',
    steps: [
      post('CreateSessionToken', { status: 4 }, { basic: { level: 'Service' }, body: { header: {} } }),
      rightLogin,
    ],
  },
  {
    id: 'password-with-colon',
    clause: 'A password in HTTP Basic may have colons: the user ends at the first one.',
    place: 'RFC 7617, 2',
    stage: 'destructive',
    names: ['CreateSessionToken', 'changePassword'],
    ...basicWith('for: this: check'),
  },
  {
    id: 'password-in-latin-1',
    clause: 'A password in HTTP Basic may have letters beyond ASCII, in Latin-1.',
    place: 'guide: Users, lock, factory reset',
    stage: 'destructive',
    names: ['CreateSessionToken', 'changePassword'],
    ...basicWith('Prüf 3 ß'),
  },
);
