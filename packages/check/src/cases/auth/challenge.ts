import { realm } from '@azimuth/model';
import type { Json } from '../../match/matcher.js';
import type { CheckSubject } from '../../scanner/checked-scanner.js';
import { type AnswerExpectation, post, type RequestStep } from '../../steps/index.js';
import type { ConformanceCase } from '../case.js';
import { caseList } from '../case-list.js';

/** Asks for a challenge. */
export function challenge(
  user: Json,
  expect: AnswerExpectation = { status: 0 },
  save: Readonly<Record<string, string>> = {},
): RequestStep {
  return post('getChallenge', expect, { data: { user }, save });
}

const hex64 = { pattern: '^[0-9a-f]{64}$' } as const;

function challengeHas(
  member: string,
  matcher: Parameters<typeof withChallenge>[0][string],
): AnswerExpectation {
  return withChallenge({ [member]: matcher });
}

function withChallenge(
  has: Extract<NonNullable<AnswerExpectation['body']>, { has: unknown }>['has'],
): AnswerExpectation {
  return { status: 0, body: { has: { challenge: { has } } } };
}

/** What getChallenge answers. */
export const challengeCases = caseList(
  'auth.challenge',
  { place: 'specification: Authentication', level: 'must', stage: 'read' },
  {
    id: 'beside-header',
    clause: 'The challenge is a member of the answer beside header. It is not in data.',
    place: 'specification: Message conventions',
    steps: [
      challenge('Service', {
        status: 0,
        body: { exactly: { header: { present: true }, challenge: { present: true } } },
      }),
    ],
  },
  {
    id: 'members',
    clause: 'A challenge has the members realm, nonce, opaque and salt, and no others.',
    place: 'specification: Envelope objects',
    steps: [
      challenge('Service', {
        status: 0,
        body: {
          has: {
            challenge: {
              exactly: {
                realm: { pattern: '' },
                nonce: { pattern: '' },
                opaque: { pattern: '' },
                salt: { items: { from: 0, to: 255 }, atMost: 16 },
              },
            },
          },
        },
      }),
    ],
  },
  {
    id: 'each-level',
    clause: 'Service, Maintenance and AuthorizedClient get a challenge, whether the level is enabled or not.',
    place: 'specification: Envelope objects',
    steps: [challenge('AuthorizedClient'), challenge('Maintenance'), challenge('Service')],
  },
  {
    id: 'new-nonce',
    clause: 'Each challenge has another nonce.',
    steps: [
      challenge('Service', { status: 0 }, { first: 'challenge.nonce' }),
      challenge('Service', challengeHas('nonce', { not: { isSaved: 'first' } })),
    ],
  },
  {
    id: 'new-opaque',
    clause: 'Each challenge has another opaque.',
    level: 'should',
    place: 'family: challenges of devices',
    steps: [
      challenge('Service', { status: 0 }, { first: 'challenge.opaque' }),
      challenge('Service', challengeHas('opaque', { not: { isSaved: 'first' } })),
    ],
  },
  {
    id: 'same-realm',
    clause: 'The realm is the same for all levels.',
    level: 'should',
    place: 'family: challenges of devices',
    steps: [
      challenge('Maintenance', { status: 0 }, { realm: 'challenge.realm' }),
      challenge('Service', challengeHas('realm', { isSaved: 'realm' })),
    ],
  },
  {
    id: 'hex-nonce',
    clause: 'A nonce has 64 hexadecimal digits in small letters.',
    level: 'should',
    place: 'family: challenges of devices',
    steps: [challenge('Service', challengeHas('nonce', hex64))],
  },
  {
    id: 'hex-opaque',
    clause: 'An opaque has 64 hexadecimal digits in small letters.',
    level: 'should',
    place: 'family: challenges of devices',
    steps: [challenge('Service', challengeHas('opaque', hex64))],
  },
  {
    id: 'salt',
    clause: 'The salt has 16 bytes, none of which is zero: clients disagree about empty salts and zeros.',
    level: 'should',
    place: 'family: challenges of devices',
    steps: [
      challenge('Service', challengeHas('salt', { items: { from: 1, to: 255 }, atLeast: 16, atMost: 16 })),
      challenge(
        'Maintenance',
        challengeHas('salt', { items: { from: 1, to: 255 }, atLeast: 16, atMost: 16 }),
      ),
    ],
  },
  {
    id: 'same-salt',
    clause: 'The salt of a level stays the same while its password does not change.',
    level: 'should',
    place: 'Azimuth: rest.md, Logging in',
    steps: [
      challenge('Service', { status: 0 }, { salt: 'challenge.salt' }),
      challenge('Service', challengeHas('salt', { isSaved: 'salt' })),
    ],
  },
  {
    id: 'salt-of-level',
    clause: 'Each level has a salt of its own.',
    level: 'should',
    place: 'Azimuth: rest.md, Logging in',
    steps: [
      challenge('Service', { status: 0 }, { salt: 'challenge.salt' }),
      challenge('Maintenance', challengeHas('salt', { not: { isSaved: 'salt' } })),
    ],
  },
  {
    id: 'no-user',
    clause: 'getChallenge without the field user answers status 1.',
    place: 'specification: Errors',
    steps: [
      post('getChallenge', { status: 1 }, { data: {} }),
      post('getChallenge', { status: 1 }, { body: '' }),
      post('getChallenge', { status: 1 }, { body: 'null' }),
    ],
  },
  {
    id: 'user-of-wrong-type',
    clause: 'getChallenge with a user that is no text answers status 2.',
    place: 'specification: Errors',
    steps: [
      challenge(4, { status: 2 }),
      challenge(null, { status: 2 }),
      challenge(['Service'], { status: 2 }),
    ],
  },
  {
    id: 'unknown-user',
    clause: 'getChallenge with an unknown user name answers status 3.',
    place: 'specification: Errors',
    steps: [challenge('Nobody', { status: 3 }), challenge('', { status: 3 })],
  },
  {
    id: 'case-of-user',
    clause: 'The name of a level has to be written with its capitals: service is unknown, status 3.',
    place: 'specification: Errors',
    steps: [challenge('service', { status: 3 }), challenge('SERVICE', { status: 3 })],
  },
  {
    id: 'user-without-login',
    clause: 'Run and Operator cannot log in: getChallenge answers status 3.',
    level: 'should',
    place: 'Azimuth: rest.md, Responses and statuses',
    steps: [challenge('Run', { status: 3 }), challenge('Operator', { status: 3 })],
  },
  {
    id: 'user-with-blank',
    clause: 'The name of a level that is written with a blank answers status 7.',
    place: 'specification: Errors',
    steps: [challenge('Authorized Client', { status: 7 })],
  },
  {
    id: 'user-with-blank-elsewhere',
    clause: 'Any name of a level that is written with blanks answers status 7.',
    level: 'should',
    place: 'Azimuth: rest.md, Responses and statuses',
    steps: [challenge('Service ', { status: 7 }), challenge(' Maintenance', { status: 7 })],
  },
  {
    id: 'unknown-member',
    clause: 'getChallenge with a member in data that it does not have answers status 2.',
    level: 'should',
    place: 'Azimuth: rest.md, Responses and statuses',
    steps: [post('getChallenge', { status: 2 }, { data: { user: 'Service', password: 'x' } })],
  },
  {
    id: 'superfluous-header',
    clause: 'getChallenge needs no login. A header is ignored, right or wrong.',
    level: 'should',
    place: 'family: what clients send',
    steps: [
      post(
        'getChallenge',
        { status: 0 },
        { body: { header: { user: 'Service' }, data: { user: 'Service' } } },
      ),
      post('getChallenge', { status: 0 }, { body: { header: null, data: { user: 'Service' } } }),
    ],
  },
);

/** Returns the case about the realm: a product has one of its own. */
export function realmCases({ realm: expected = realm }: CheckSubject): readonly ConformanceCase[] {
  return caseList(
    'auth.challenge',
    { place: 'family: challenges of devices', level: 'should', stage: 'read' },
    {
      id: 'realm',
      clause: `The realm is ${expected}.`,
      steps: [challenge('Service', challengeHas('realm', { is: expected }))],
    },
  );
}
