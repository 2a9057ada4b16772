import { setImmediate as nextPass } from 'node:timers/promises';
import {
  type SiteQuery,
  type SiteScanner,
  siteListOf,
  siteOrders,
  siteQueryOf,
  siteSeverities,
} from '@azimuth/http';
import { afterEach, expect, test, vi } from 'vitest';
import { SiteIndex } from '../../src/port/site-index.js';

afterEach(() => vi.useRealTimers());

/** Returns numbers from 0 on below a limit: the same ones for the same seed. */
function numbersOf(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

const places = ['Gate', 'gate 7', 'GRÖSSE', 'İzmir', '🚧 dock', 'Hall/2', 'a"b', '^^', ''];

function randomRow(number: number, random: (limit: number) => number): SiteScanner {
  const pick = <T>(list: readonly [T, ...T[]]): T => list[random(list.length)] ?? list[0];
  const serialNumber = String(9000 + number);
  const path = `/scanners/${serialNumber}`;
  const location = random(3) === 0 ? `${places[random(places.length)]}${random(50)}` : undefined;
  return {
    path,
    url: random(20) === 0 ? `http://10.0.0.${random(9)}:8080` : path,
    name: location ?? serialNumber,
    group: pick(['', 'gate', 'Hall 10', 'Hall 9']),
    serialNumber,
    location,
    firmware: pick(['2.4.4.0R', '2.4.3.0R', undefined]),
    state: pick(['On, not used', 'On, not used', 'On, not used', 'Running']),
    severity: pick(['good', 'good', 'good', ...siteSeverities]),
    trouble: random(9) === 0 ? [`port ${random(99)} is taken`, 'No answer'] : [],
    unsaved: random(2) === 0 ? undefined : random(4),
  };
}

/** A query; half of them search for parts of what some scanner shows. */
function randomQuery(rows: readonly SiteScanner[], random: (limit: number) => number): URLSearchParams {
  const query = new URLSearchParams({ limit: String(random(120)) });
  const words = Array.from({ length: random(2) === 0 ? 0 : 1 + random(2) }, () => {
    const one = rows[random(rows.length)];
    const texts = [one?.url, one?.name, one?.state, one?.group, ...(one?.trouble ?? [])];
    const text = texts[random(texts.length)] ?? 'nothing';
    const from = random(text.length);
    return text.slice(from, from + 1 + random(6));
  });
  if (words.length > 0) query.set('q', words.join(' '));
  if (random(3) === 0) query.set('group', rows[random(rows.length)]?.group ?? '');
  if (random(3) === 0) query.set('severity', siteSeverities[random(4)] ?? 'good');
  if (random(2) === 0) query.set('sort', siteOrders[random(siteOrders.length)] ?? 'name');
  if (random(2) === 0) query.set('order', 'desc');
  if (random(2) === 0) query.set('from', String(random(rows.length)));
  return query;
}

test.each([Math.floor(Math.random() * 2 ** 31)])(
  'a list equals that of a walk over all rows, whatever is asked and replaced meanwhile (seed %i)',
  async (seed) => {
    const random = numbersOf(seed);
    const rows = Array.from({ length: 900 }, (_, number) => randomRow(number, random));
    const index = await SiteIndex.of(rows);
    const replaceSome = (most: number) => {
      for (let count = random(most); count > 0; count--) {
        const number = random(rows.length);
        const row = randomRow(number, random);
        rows[number] = row;
        index.replace(row);
      }
    };
    const check = async (query: URLSearchParams) => {
      const listed = await index.list(siteQueryOf(query));
      const { history, log, from, ...expected } = siteListOf(rows, query, { history: false, log: false });
      expect(listed, String(query)).toEqual(expected);
    };
    for (let round = 0; round < 40; round++) {
      replaceSome(round % 10 === 9 ? 300 : 4);
      const checks = Promise.all([check(randomQuery(rows, random)), check(randomQuery(rows, random))]);
      for (let pass = random(12); pass > 0; pass--) {
        await nextPass();
        replaceSome(4);
      }
      await checks;
    }
  },
);

/** A site of 1000 scanners, and a search in it that counts the rows at which it looks. */
async function countedSearch(q: string) {
  const random = numbersOf(1);
  const rows = Array.from({ length: 1000 }, (_, number) => randomRow(number, random));
  const index = await SiteIndex.of(rows);
  const query = siteQueryOf(new URLSearchParams({ q }));
  const hasWords = vi.fn(query.hasWords);
  const counted: SiteQuery = { ...query, hasWords };
  const ask = async () => {
    hasWords.mockClear();
    const { matching } = await index.list(counted);
    return { matching, looked: hasWords.mock.calls.length };
  };
  return { rows, index, ask };
}

test.each([
  ['9123', 1],
  ['on,  912', 10],
  ['912', 0],
  ['9', 0],
  ['nowhere', 0],
])('a search for "%s" of 1000 scanners looks at most at %i of them', async (q, most) => {
  const { ask } = await countedSearch(q);
  expect((await ask()).looked).toBeLessThanOrEqual(most);
});

test('a search that is repeated looks only at scanners that have changed', async () => {
  const { ask, index, rows } = await countedSearch('scanners');
  expect((await ask()).looked).toBeGreaterThan(800);
  expect(await ask()).toMatchObject({ looked: 0 });
  for (const row of rows.slice(7, 9)) index.replace({ ...row, unsaved: 77 });
  expect(await ask()).toMatchObject({ looked: 2 });
});

test('what nobody has searched for five minutes is not kept', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { ask } = await countedSearch('scanners');
  const { looked } = await ask();
  expect(looked).toBeGreaterThan(800);
  vi.advanceTimersByTime(299_000);
  expect(await ask()).toMatchObject({ looked: 0 });
  vi.advanceTimersByTime(301_000);
  expect(await ask()).toMatchObject({ looked });
});
