import type { Header } from '@azimuth/test-support/client';
import type { SeededRandom } from '@azimuth/test-support/seeded-random';
import { writable } from './catalogue.js';
import type { Category } from './fuzz-run.js';
import { hostileValue, spoiled, strangeString, unknownName } from './hostile-json.js';
import { expectOneOf, statusOf } from './oracle.js';
import { post } from './requests.js';

const memberNames = ['user', 'realm', 'nonce', 'opaque', 'response'] as const;

/** JSON text of a header with one member missing, repeated, of another type or of other characters. */
function malformed(header: Header, random: SeededRandom): string {
  const at = random.pick(memberNames);
  const members = memberNames.flatMap((name) => {
    const right = `"${name}":${JSON.stringify(header[name])}`;
    if (name !== at) return [right];
    switch (random.below(5)) {
      case 0:
        return [];
      case 1:
        return [right, `"${name}":${hostileValue(random)}`];
      case 2:
        return [`"__proto__":{${right}}`];
      case 3:
        return [`"${name}":${strangeString(random)}`];
      default:
        return [`"${name}":${hostileValue(random)}`];
    }
  });
  return `{${members.join()}}`;
}

/** A login with one malformed member. It never succeeds. */
export const malformedHeaders: Category = {
  name: 'malformed headers',
  weight: 20,
  run: async (client, random, catalogue) => {
    const { name } = random.pick(writable(catalogue));
    const header = random.percent(10) ? hostileValue(random) : malformed(await client.header(name), random);
    const text = `{"header":${header},"data":{"${name}":null}}`;
    const body = random.percent(90) ? Buffer.from(text) : spoiled(text, random);
    // 2: the change left the header valid, so the login succeeded (`null` is not a value of any variable).
    return [expectOneOf(statusOf(await client.request(post(name, body))), [1, 2, 4, 10], name)];
  },
};

/** A challenge cannot be answered twice. */
export const replays: Category = {
  name: 'replays',
  weight: 4,
  run: async (client, random) => {
    const body = JSON.stringify({ header: await client.header('checkCredentials') });
    const first = statusOf(await client.request(post('checkCredentials', body)));
    const again = statusOf(
      await client.request(post(random.pick(['checkCredentials', 'LocationName']), body)),
    );
    return [
      expectOneOf(first, [0, 4, 10], 'a first login'),
      // Another client may have locked logins: then 4, before the challenge is checked.
      expectOneOf(again, [4, 10], 'a replay'),
    ];
  },
};

/** Challenges for levels, for names almost like levels, and for values that are not names. */
export const challenges: Category = {
  name: 'challenges',
  weight: 6,
  run: async (client, random) => {
    const user = random.pick([
      ...['"Maintenance"', '"AuthorizedClient"', '"Authorized Client"', '" Service"', '"service"', '"Run"'],
      strangeString(random),
      hostileValue(random),
    ]);
    const text = random.pick([`{"data":{"user":${user}}}`, `{"data":{"__proto__":{"user":${user}}}}`]);
    return [
      expectOneOf(statusOf(await client.request(post('getChallenge', text))), [0, 1, 2, 3, 4, 7], user),
    ];
  },
};

/** Messages for changePassword without the right proof. */
export const passwordMessages: Category = {
  name: 'password messages',
  weight: 3,
  run: async (client, random) => {
    if (random.percent(50)) {
      const stranger = JSON.stringify(unknownName(random));
      const right = `{"data":{"encryptedMessage":${JSON.stringify([...random.bytes(96)])},"userLevel":${stranger}}}`;
      return [expectOneOf(statusOf(await client.request(post('changePassword', right))), [2, 9], stranger)];
    }
    const length = random.pick([0, 1, 95, 96, 97, 300]);
    const message = [...random.bytes(length)].map((byte) => (random.percent(1) ? -byte : byte));
    const level = random.pick([
      '"Service"',
      '"Run"',
      '"Authorized Client"',
      strangeString(random),
      hostileValue(random),
    ]);
    const body = `{"data":{"encryptedMessage":${JSON.stringify(message)},"userLevel":${level}}}`;
    return [
      expectOneOf(statusOf(await client.request(post('changePassword', body))), [0, 1, 2, 6, 7, 9], level),
    ];
  },
};
