import { call, pause, post, type RequestStep, repeat, write } from '../../steps/index.js';
import { caseList } from '../case-list.js';
import { challenge } from './challenge.js';
import { rightLogin, wrongLogin } from './login.js';

/** A login that answers a saved challenge. */
export function answerTo(name: string, status: number | readonly number[]): RequestStep {
  return post('checkCredentials', { status }, { login: { level: 'Service', challenge: name } });
}

/** Waits until challenges that were fetched before do not count any more, and ends a refusal. */
const quiet = pause(6);

const fetched = (name: string) => challenge('Service', { status: 0 }, { [name]: 'challenge' });

const decided = { level: 'should', place: 'Azimuth: rest.md, Logging in' } as const;

/** How long a challenge is good. */
export const pendingCases = caseList(
  'auth.pending',
  { place: 'specification: Authentication', level: 'must', stage: 'write' },
  {
    id: 'single-use',
    clause: 'A challenge is good for one POST. A second one with it is refused.',
    place: 'specification: Authentication, rule 2',
    steps: [fetched('first'), answerTo('first', 0), answerTo('first', [4, 10]), rightLogin],
  },
  {
    id: 'spent',
    clause: 'A POST whose challenge was used before answers status 10.',
    ...decided,
    place: 'Azimuth: rest.md, Responses and statuses',
    steps: [fetched('first'), answerTo('first', 0), answerTo('first', 10), rightLogin],
  },
  {
    id: 'spent-for-other-endpoint',
    clause: 'A challenge that was used for one endpoint is not good for another one.',
    place: 'specification: Authentication, rule 2',
    steps: [
      fetched('first'),
      answerTo('first', 0),
      write(
        'LocationName',
        'Gate 3',
        { status: [4, 10] },
        { login: { level: 'Service', challenge: 'first' } },
      ),
      rightLogin,
    ],
  },
  {
    id: 'spent-by-wrong-login',
    clause: 'A wrong login uses its challenge up: a right one with the same challenge answers status 10.',
    ...decided,
    steps: [
      fetched('first'),
      post(
        'checkCredentials',
        { status: 4 },
        {
          login: { level: 'Service', challenge: 'first', password: 'not the password' },
        },
      ),
      answerTo('first', 10),
      rightLogin,
    ],
  },
  {
    id: 'spent-by-refused-data',
    clause: 'A POST whose data is refused has used its challenge up.',
    ...decided,
    steps: [
      fetched('first'),
      write('LocationName', 1, { status: 2 }, { login: { level: 'Service', challenge: 'first' } }),
      answerTo('first', 10),
      rightLogin,
    ],
  },
  {
    id: 'other-level',
    clause: 'A challenge for another level invalidates a pending one: a POST with it answers status 10.',
    place: 'specification: Authentication, rule 3',
    steps: [fetched('first'), challenge('Maintenance'), answerTo('first', 10), rightLogin],
  },
  {
    id: 'other-level-and-back',
    clause:
      'A challenge that was invalidated by another level stays invalid after further ones of its own level.',
    place: 'specification: Authentication, rule 3',
    steps: [
      fetched('first'),
      challenge('AuthorizedClient'),
      challenge('Service'),
      answerTo('first', 10),
      rightLogin,
    ],
  },
  {
    id: 'same-level',
    clause: 'A further challenge for the same level leaves the earlier one pending.',
    ...decided,
    steps: [fetched('first'), fetched('second'), answerTo('second', 0), answerTo('first', 0)],
  },
  {
    id: 'refused-challenge',
    clause: 'A getChallenge that is refused leaves a pending challenge as it is.',
    ...decided,
    steps: [fetched('first'), challenge('Nobody', { status: 3 }), answerTo('first', 0)],
  },
  {
    id: 'sixty-four',
    clause: '64 challenges of one level can be pending at a time.',
    ...decided,
    steps: [
      quiet,
      fetched('first'),
      repeat(3, repeat(21, challenge('Service')), pause(2.5)),
      answerTo('first', 0),
    ],
  },
  {
    id: 'sixty-five',
    clause: 'If 64 challenges of a level are pending, a further one takes the place of the oldest.',
    ...decided,
    steps: [
      quiet,
      fetched('first'),
      repeat(2, repeat(32, challenge('Service')), pause(2.5)),
      answerTo('first', 10),
      rightLogin,
    ],
  },
  {
    id: 'before-expiry',
    clause: 'A challenge is good for 60 s: after 59 s it is.',
    ...decided,
    steps: [fetched('first'), pause(59), answerTo('first', 0)],
  },
  {
    id: 'expired',
    clause: 'After 60 s a challenge has expired: a POST with it answers status 10.',
    ...decided,
    steps: [fetched('first'), pause(60), answerTo('first', 10), rightLogin],
  },
);

/** Fetches challenges and does not use them. */
const unused = (times: number) => ({ ...repeat(times, challenge('Service')), within: 1.9 });

const refused = challenge('Service', { status: 4 });

/** What happens to a client that fetches challenges and does not use them. */
export const floodCases = caseList(
  'auth.flood',
  { level: 'should', place: 'Azimuth: rest.md, Failed logins', stage: 'write' },
  {
    id: 'burst',
    clause: 'After 50 challenges within 2 s that nobody has used, getChallenge answers status 4.',
    place: 'specification: Authentication, rule 5; Azimuth: rest.md, Failed logins',
    steps: [quiet, unused(50), refused, quiet, rightLogin],
    cleanup: [quiet],
  },
  {
    id: 'below',
    clause: '49 challenges within 2 s are no burst.',
    steps: [quiet, unused(49), pause(2.5), challenge('Service'), quiet],
    cleanup: [quiet],
  },
  {
    id: 'slow',
    clause: 'Challenges that are older than 2 s do not count for a burst.',
    steps: [quiet, unused(30), pause(2.5), unused(30), quiet],
    cleanup: [quiet],
  },
  {
    id: 'still-refused',
    clause: 'After a burst, challenges are refused for 3 s: after 2 s, getChallenge still answers status 4.',
    steps: [quiet, unused(50), pause(2), refused, quiet],
    cleanup: [quiet],
  },
  {
    id: 'over',
    clause: 'After a burst, challenges are refused for 3 s: after that, getChallenge answers again.',
    steps: [quiet, unused(50), refused, pause(3), challenge('Service'), quiet],
    cleanup: [quiet],
  },
  {
    id: 'all-levels',
    clause: 'A burst of challenges for one level refuses those for all levels.',
    steps: [quiet, unused(50), challenge('Maintenance', { status: 4 }), quiet],
    cleanup: [quiet],
  },
  {
    id: 'used',
    clause: 'A client that uses each of its challenges is never refused, however fast it is.',
    steps: [quiet, repeat(60, call('checkCredentials', undefined))],
  },
  {
    id: 'login',
    clause: 'A challenge that was fetched before a burst is still good during the refusal.',
    steps: [quiet, fetched('first'), unused(49), refused, answerTo('first', 0), quiet],
    cleanup: [quiet],
  },
  {
    id: 'no-failure',
    clause: 'Challenges that are refused after a burst do not count as failed logins.',
    steps: [quiet, unused(50), repeat(6, refused), pause(3), wrongLogin(), rightLogin],
    cleanup: [quiet],
  },
);
