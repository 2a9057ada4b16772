import { isFrom } from '@azimuth/model';
import type { CheckSubject } from '../../scanner/checked-scanner.js';
import { call, pause, post, transfer } from '../../steps/index.js';
import type { ConformanceCase } from '../case.js';
import { firstWithTokens, newToken, tokenHeader, tokenReleases } from './token-steps.js';

const place = 'specification: Session token for binary transfers';

/** An answer to a download with a valid token: there may be no backup yet. */
const admitted = { http: [200, 404] } as const;
const refused = { http: 403 } as const;
const madeUp = { 'X-Session-Token': '00000000-0000-4000-8000-000000000000' } as const;

const common = { level: 'must', stage: 'write', names: ['CreateSessionToken'] } as const;

const issued: readonly ConformanceCase[] = [
  {
    ...common,
    id: 'file.token-members',
    clause:
      'CreateSessionToken answers a token of 1 to 36 characters and its lifetime as a positive whole number.',
    place,
    steps: [
      call('CreateSessionToken', undefined, {
        status: 0,
        data: { has: { token: { pattern: '^\\S{1,36}$' }, timeToLive: { from: 1, to: 65_535 } } },
      }),
    ],
  },
  {
    ...common,
    id: 'file.token-without-login',
    clause: 'CreateSessionToken without a login answers status 4: it needs the level Service.',
    place,
    steps: [post('CreateSessionToken', { status: 4, data: { absent: true } }, { body: {} })],
  },
  {
    ...common,
    id: 'file.token-by-basic',
    clause:
      'CreateSessionToken accepts HTTP Basic of the level Service in place of the header of a challenge.',
    place: 'guide: Firmware update',
    steps: [
      post(
        'CreateSessionToken',
        { status: 0, data: { has: { token: { pattern: '^\\S{1,36}$' } } } },
        { basic: { level: 'Service' }, body: {} },
      ),
    ],
  },
  {
    ...common,
    id: 'file.token-by-wrong-basic',
    clause: 'CreateSessionToken with HTTP Basic and a wrong password answers status 4, and no token.',
    place: 'guide: Firmware update',
    steps: [
      post(
        'CreateSessionToken',
        { status: 4, data: { absent: true } },
        { basic: { level: 'Service', password: 'this is not the password' }, body: {} },
      ),
      // Ends the count of failed logins.
      call('checkCredentials', undefined, { status: 0 }),
    ],
  },
  {
    ...common,
    id: 'file.token-new-each-time',
    clause: 'Each CreateSessionToken answers another token.',
    place: 'Azimuth: session tokens',
    level: 'should',
    steps: [
      newToken,
      call('CreateSessionToken', undefined, {
        status: 0,
        data: { has: { token: { not: { isSaved: 'token' } } } },
      }),
    ],
  },
];

const used: readonly ConformanceCase[] = [
  {
    ...common,
    id: 'file.token-reused',
    clause: 'A session token is valid for several transfers.',
    place,
    steps: [
      newToken,
      transfer('GET', 'parameterbackup', admitted, { headers: tokenHeader() }),
      transfer('GET', 'parameterbackup', admitted, { headers: tokenHeader() }),
    ],
  },
  {
    ...common,
    id: 'file.token-beside-a-newer-one',
    clause: 'A session token stays valid when another one is created.',
    place: 'Azimuth: session tokens',
    level: 'should',
    steps: [
      newToken,
      call('CreateSessionToken', undefined, { status: 0 }),
      transfer('GET', 'parameterbackup', admitted, { headers: tokenHeader() }),
    ],
  },
  {
    ...common,
    id: 'file.token-until-its-end',
    clause: 'A session token is valid for timeToLive seconds.',
    place,
    level: 'should',
    steps: [
      call(
        'CreateSessionToken',
        undefined,
        { status: 0 },
        { save: { token: 'data.token', life: 'data.timeToLive' } },
      ),
      pause({ saved: 'life' }, -3),
      transfer('GET', 'parameterbackup', admitted, { headers: tokenHeader() }),
    ],
  },
  {
    ...common,
    id: 'file.token-after-its-end',
    clause: 'A transfer with an expired session token answers HTTP 403.',
    place,
    steps: [
      call(
        'CreateSessionToken',
        undefined,
        { status: 0 },
        { save: { token: 'data.token', life: 'data.timeToLive' } },
      ),
      pause({ saved: 'life' }, 1),
      transfer('GET', 'parameterbackup', refused, { headers: tokenHeader() }),
    ],
  },
  {
    ...common,
    id: 'file.token-is-no-login',
    clause: 'A session token does not replace the login of a POST that calls a method: status 4.',
    place: 'specification: Challenge-response for every POST write or method call',
    names: ['CreateSessionToken', 'WriteEeprom'],
    steps: [newToken, post('WriteEeprom', { status: 4 }, { headers: tokenHeader(), body: {} })],
  },
];

/** A transfer that needs a token: how it answers without one, and with one that was never issued. */
function refusals(
  id: string,
  what: string,
  request: Parameters<typeof transfer> extends [infer M, ...unknown[]] ? M : never,
  path: string,
  level: 'must' | 'should',
): readonly ConformanceCase[] {
  const file = request === 'GET' ? {} : { file: { text: 'conformance check' } };
  return [
    {
      ...common,
      id: `file.${id}-without-token`,
      clause: `${what} without a session token answers HTTP 403.`,
      place: 'specification: Errors, HTTP 403',
      level,
      steps: [transfer(request, path, refused, file)],
    },
    {
      ...common,
      id: `file.${id}-with-unknown-token`,
      clause: `${what} with a session token that was never issued answers HTTP 403.`,
      place: 'specification: Errors, HTTP 403',
      level,
      steps: [transfer(request, path, refused, { ...file, headers: madeUp })],
    },
  ];
}

const refusedTransfers = [
  ...refusals('download', 'GET /parameterbackup', 'GET', 'parameterbackup', 'must'),
  ...refusals('upload', 'PUT /parameterbackup', 'PUT', 'parameterbackup', 'must'),
  ...refusals('upload-by-post', 'POST /parameterbackup', 'POST', 'parameterbackup', 'should'),
  ...refusals('update', 'PUT /update', 'PUT', 'update', 'should'),
];

const envelopes: readonly ConformanceCase[] = [
  {
    ...common,
    id: 'file.token-refusal-is-json',
    clause: 'The body of an HTTP 403 is JSON with header.status 4, as clients expect of every answer.',
    place: 'Azimuth: session tokens',
    level: 'should',
    steps: [transfer('GET', 'parameterbackup', { http: 403, status: 4 })],
  },
];

const beforeTokens: readonly ConformanceCase[] = [
  {
    id: 'file.download-before-tokens',
    clause: 'Before release 2.3.1, GET /parameterbackup needs no session token.',
    place: 'specification: Versioning',
    level: 'must',
    stage: 'read',
    names: ['parameterbackup'],
    releases: { until: '2.3.1' },
    steps: [transfer('GET', 'parameterbackup', admitted)],
  },
  {
    id: 'file.update-before-tokens',
    clause: 'Before release 2.3.1, PUT /update needs no session token.',
    place: 'specification: Session token for binary transfers',
    level: 'should',
    stage: 'write',
    names: ['update'],
    releases: { until: '2.3.1' },
    steps: [transfer('PUT', 'update', { http: 200 }, { file: { text: 'conformance check' } })],
  },
];

export function tokenCases({ release }: CheckSubject): readonly ConformanceCase[] {
  if (!isFrom(release, firstWithTokens)) return beforeTokens;
  return [...issued, ...used, ...refusedTransfers, ...envelopes].map((one) => ({
    ...one,
    releases: tokenReleases,
  }));
}
