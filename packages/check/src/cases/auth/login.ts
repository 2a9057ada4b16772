import { call, get, type LoginPlan, post, type Step, write } from '../../steps/index.js';
import { caseList, type ListedCase } from '../case-list.js';
import { challenge } from './challenge.js';

/** A login that is right. It ends a row of failed ones. */
export const rightLogin = call('checkCredentials', undefined, { status: 0 });

/** A login at Service with a wrong password. */
export function wrongLogin(expected = 4): Step {
  return post(
    'checkCredentials',
    { status: expected },
    { login: { level: 'Service', password: 'not the password' } },
  );
}

/** A login with something wrong, and then a right one. */
function refused(
  id: string,
  clause: string,
  plan: Partial<LoginPlan>,
  more: Partial<ListedCase> = {},
): ListedCase {
  return {
    id,
    clause,
    steps: [post('checkCredentials', { status: 4 }, { login: { level: 'Service', ...plan } }), rightLogin],
    ...more,
  };
}

/** A header of a login that is not computed from a challenge, and then a right login. */
function withHeader(id: string, clause: string, header: null | string | readonly string[]): ListedCase {
  return { id, clause, steps: [post('checkCredentials', { status: 4 }, { body: { header } }), rightLogin] };
}

const decided = { level: 'should', place: 'Azimuth: rest.md, Responses and statuses' } as const;
const zeros = '0'.repeat(64);

/** How a POST proves a password. */
export const loginCases = caseList(
  'auth.login',
  { place: 'specification: Authentication', level: 'must', stage: 'write' },
  {
    id: 'right',
    clause: 'A POST with the right response to a challenge of Service is admitted.',
    steps: [rightLogin],
  },
  {
    id: 'right-write',
    clause: 'A write with the right response to a challenge is done.',
    steps: [
      get('LocationName', { status: 0 }, { save: { before: 'data.LocationName' } }),
      write('LocationName', 'Gate 3'),
      get('LocationName', { status: 0, data: { has: { LocationName: { is: 'Gate 3' } } } }),
      write('LocationName', { saved: 'before' }),
    ],
  },
  {
    id: 'no-header',
    clause: 'A POST that needs a login, without a header, answers status 4.',
    place: 'specification: Errors',
    steps: [
      post('checkCredentials', { status: 4 }, { body: {} }),
      post('checkCredentials', { status: 4 }, { body: '' }),
      rightLogin,
    ],
  },
  withHeader('header-of-text', 'A header that is a text answers status 4.', 'Service'),
  withHeader('header-of-null', 'A header that is null answers status 4.', null),
  withHeader('header-of-array', 'A header that is an array answers status 4.', ['Service']),
  ...(['user', 'realm', 'nonce', 'opaque', 'response'] as const).map((member) =>
    refused(`no-${member}`, `A header without the member ${member} answers status 4.`, {
      header: { [member]: null },
    }),
  ),
  refused(
    'user-of-wrong-type',
    'A header whose user is no text answers status 4.',
    { header: { user: 4 } },
    decided,
  ),
  refused(
    'nonce-of-wrong-type',
    'A header whose nonce is no text answers status 4.',
    { header: { nonce: [zeros] } },
    decided,
  ),
  refused(
    'wrong-password',
    'A wrong password answers status 4.',
    { password: 'not the password' },
    {
      place: 'specification: Errors',
    },
  ),
  refused(
    'empty-password',
    'An empty password answers status 4.',
    { password: '' },
    {
      place: 'specification: Errors',
    },
  ),
  refused('wrong-response', 'A response that is not the hash answers status 4.', {
    header: { response: zeros },
  }),
  refused('empty-response', 'An empty response answers status 4.', { header: { response: '' } }),
  refused('wrong-opaque', 'An opaque that is not that of the challenge answers status 4.', {
    header: { opaque: zeros },
  }),
  refused('wrong-realm', 'A realm that is not that of the challenge answers status 4.', {
    header: { realm: 'Another realm' },
  }),
  refused('wrong-user', 'A user that is not that of the challenge answers status 4.', {
    header: { user: 'Maintenance' },
  }),
  refused('user-without-login', 'The user Operator answers status 4, with whatever challenge.', {
    header: { user: 'Operator' },
  }),
  refused(
    'other-endpoint',
    'A hash that was computed for another endpoint answers status 4.',
    { endpoint: 'WriteEeprom' },
    { place: 'specification: Errors' },
  ),
  refused(
    'endpoint-in-small-letters',
    'A hash over the name of the endpoint in small letters answers status 4.',
    { endpoint: 'checkcredentials' },
    { place: 'specification: Errors' },
  ),
  refused('endpoint-with-path', 'The hash is over the path without /api/. With it, it answers status 4.', {
    endpoint: '/api/checkCredentials',
  }),
  refused(
    'unsalted',
    'A hash without the salt answers status 4, because the challenge has a salt.',
    { unsalted: true },
    { place: 'specification: Authentication, rule 1' },
  ),
  refused('capitals-in-response', 'A response in capital letters answers status 4.', {
    capitals: ['response'],
  }),
  refused(
    'capitals-in-opaque',
    'An opaque in capital letters answers status 4.',
    { capitals: ['opaque'] },
    decided,
  ),
  refused(
    'capitals-in-realm',
    'A realm in capital letters answers status 4.',
    { capitals: ['realm'] },
    decided,
  ),
  refused('capitals-in-user', 'A user in capital letters answers status 4.', { capitals: ['user'] }, decided),
  refused(
    'foreign-nonce',
    'A nonce that the scanner has never issued answers status 4, not 10.',
    { header: { nonce: 'a'.repeat(64) } },
    decided,
  ),
  refused(
    'capitals-in-nonce',
    'A nonce in capital letters answers status 4: none was issued.',
    {
      capitals: ['nonce'],
    },
    decided,
  ),
  refused('empty-nonce', 'An empty nonce answers status 4.', { header: { nonce: '' } }, decided),
  {
    id: 'members-beside',
    clause: 'Further members of a header are ignored.',
    ...decided,
    steps: [
      call(
        'checkCredentials',
        undefined,
        { status: 0 },
        { login: { level: 'Service', header: { more: 1 } } },
      ),
    ],
  },
  {
    id: 'ignored-where-open',
    clause: 'A method that needs no login ignores the header of one, right or wrong.',
    level: 'should',
    place: 'family: what clients send',
    names: ['GetWebserverEnabled'],
    steps: [
      call('GetWebserverEnabled', undefined),
      post(
        'GetWebserverEnabled',
        { status: 0 },
        { login: { level: 'Service', header: { response: zeros } } },
      ),
      rightLogin,
    ],
  },
  {
    id: 'refused-write',
    clause: 'A write with a wrong password changes nothing.',
    steps: [
      get('LocationName', { status: 0 }, { save: { before: 'data.LocationName' } }),
      write(
        'LocationName',
        'By a stranger',
        { status: 4 },
        {
          login: { level: 'Service', password: 'not the password' },
        },
      ),
      get('LocationName', { status: 0, data: { has: { LocationName: { isSaved: 'before' } } } }),
      rightLogin,
    ],
  },
  {
    id: 'query',
    clause: 'A query of the path is no part of the name in the hash.',
    ...decided,
    place: 'Azimuth: limits.md, Paths',
    steps: [
      post(
        'checkCredentials?x=1',
        { status: 0 },
        { login: { level: 'Service', endpoint: 'checkCredentials' } },
      ),
    ],
  },
  {
    id: 'percent-encoding',
    clause: 'The hash is over the decoded name, if the path has encoded letters.',
    ...decided,
    place: 'Azimuth: limits.md, Paths',
    steps: [
      post(
        'check%43redentials',
        { status: 0 },
        { login: { level: 'Service', endpoint: 'checkCredentials' } },
      ),
    ],
  },
  {
    id: 'alias',
    clause: 'The hash is over the name as requested, also for the older name EtherCoLaScanMode.',
    ...decided,
    names: ['EtherLegacyScanMode'],
    changes: ['EtherLegacyScanMode'],
    steps: [
      get('EtherLegacyScanMode', { status: 0 }, { save: { before: 'data.EtherLegacyScanMode' } }),
      post(
        'EtherCoLaScanMode',
        { status: 4 },
        {
          login: { level: 'Service', endpoint: 'EtherLegacyScanMode' },
          data: { EtherCoLaScanMode: { saved: 'before' } },
        },
      ),
      write('EtherCoLaScanMode', { saved: 'before' }),
    ],
  },
);

/** Checks come in an order: name and verb, body, login, payload. */
export const orderCases = caseList(
  'auth.order',
  { ...decided, stage: 'write' },
  {
    id: 'name-before-body',
    clause: 'An unknown name answers status 5, whatever the body is.',
    stage: 'read',
    steps: [post('ThereIsNoSuchName', { status: 5 }, { body: 'not JSON' })],
  },
  {
    id: 'read-only-before-body',
    clause: 'A POST to a read-only variable answers status 8, whatever the body is.',
    stage: 'read',
    steps: [post('SerialNumber', { status: 8 }, { body: 'not JSON' })],
  },
  {
    id: 'read-only-before-login',
    clause: 'A POST to a read-only variable answers status 8 before its login is looked at.',
    steps: [
      post(
        'SerialNumber',
        { status: 8 },
        {
          login: { level: 'Service', header: { response: zeros } },
          data: { SerialNumber: '1' },
        },
      ),
      rightLogin,
    ],
  },
  {
    id: 'body-before-login',
    clause: 'A body that is no JSON object answers status 1 before the missing login is looked at.',
    stage: 'read',
    steps: [
      post('WriteEeprom', { status: 1 }, { body: '[]' }),
      post('LocationName', { status: 1 }, { body: '{' }),
    ],
  },
  {
    id: 'login-before-data',
    clause: 'Without a login, an answer tells nothing about the data: status 4 for right and wrong data.',
    stage: 'read',
    steps: [
      post('LocationName', { status: 4 }, { body: {} }),
      post('LocationName', { status: 4 }, { data: { locationName: 'x' } }),
      post('LocationName', { status: 4 }, { data: { LocationName: 1 } }),
      post('LocationName', { status: 4 }, { data: { LocationName: 'x'.repeat(99) } }),
      post('SoftReset', { status: 4 }, { data: { ProcessorNbr: 65536 } }),
    ],
  },
  {
    id: 'wrong-login-before-data',
    clause: 'A wrong password answers status 4, also if the data is wrong.',
    steps: [
      write('LocationName', 1, { status: 4 }, { login: { level: 'Service', password: 'not the password' } }),
      rightLogin,
    ],
  },
  {
    id: 'challenge-before-data',
    clause: 'A spent challenge answers status 10, also if the data is wrong.',
    steps: [
      challenge('Service', { status: 0 }, { first: 'challenge' }),
      post('checkCredentials', { status: 0 }, { login: { level: 'Service', challenge: 'first' } }),
      write('LocationName', 1, { status: 10 }, { login: { level: 'Service', challenge: 'first' } }),
      rightLogin,
    ],
  },
  {
    id: 'missing-before-unknown',
    clause: 'Missing data answers status 1, also if there are unknown members.',
    steps: [call('SoftReset', { Other: 1 }, { status: 1 })],
  },
);
