import { checkedOptions, checkedTarget } from '@azimuth/test-support/mutants/checked-target';
import { startScanner } from '@azimuth/testing';
import { expect, it } from 'vitest';
import { areas, casesFor, editionSubject, runCheck } from '../src/index.js';

const newest = editionSubject('2.4.4', 'full');

/**
 * One case in so many runs here, so that a change that breaks a kind of step is noticed at once. All run in tests/long/check, for
 * all releases.
 */
const share = 80;

it('cases are data: they survive as JSON, with a clause in a sentence and the place where it stands', () => {
  const all = casesFor(newest);
  expect(all.length).toBeGreaterThan(600);
  expect(all.filter((one) => !isJson(one)).map(({ id }) => id)).toEqual([]);
  const places = /^(?:(?:specification|guide|family|Azimuth): \S|RFC \d+)/;
  expect(all.filter(({ place }) => !places.test(place)).map(({ id }) => id)).toEqual([]);
  expect(all.filter(({ clause }) => !/^\S.*\.\)?$/su.test(clause)).map(({ id }) => id)).toEqual([]);
});

it('a scanner passes a share of the cases of each area', async () => {
  await using scanner = await startScanner(checkedOptions({ release: '2.4.4', variant: 'full' }));
  const stages = new Set(['read', 'write', 'core'] as const);
  const chosen = new Set(
    areas.flatMap(({ name }) =>
      casesFor(newest)
        .filter(({ id, stage }) => id.startsWith(`${name}.`) && new Set<string>(stages).has(stage))
        .filter((_, index) => index % share === 0)
        .map(({ id }) => id),
    ),
  );
  const results = await runCheck(checkedTarget(scanner), newest, { stages, only: (id) => chosen.has(id) });
  expect(results.filter(({ verdict }) => verdict !== 'pass')).toEqual([]);
  expect(results.length).toBe(chosen.size);
});

it('the scans of an earlier scene are not taken for those of a case, whenever in a revolution it begins', async () => {
  await using scanner = await startScanner(checkedOptions({ release: '2.4.4', variant: 'full' }));
  const ids = ['field.nearest-position', 'field.missing', 'distance.no-field', 'distance.distance-filter'];
  const corners = [-1, 1].flatMap((x) => [-x, x].map((y) => ({ x: 9000 * x, y: 9000 * y })));
  const field = { Id: 1, Points: corners, TreatMissingDataAsInfringed: true, TimeForFreeState: 10_000 };
  const fields = { evaluations: [field], groups: [{ Id: 1, Evaluations: [1] }] };
  await scanner.client.writeAny('x/fields', fields);
  // Cases begin anywhere in a revolution of 67 ms.
  for (const time of [0, 20, 40, 60]) {
    await scanner.advance(time);
    const options = { stages: new Set(['core'] as const), only: (id: string) => ids.includes(id) };
    const results = await runCheck(checkedTarget(scanner), newest, options);
    expect(results.map(({ case: { id }, verdict }) => [id, verdict])).toEqual(ids.map((id) => [id, 'pass']));
  }
});

it('without a control port, what needs one is not tested', async () => {
  await using scanner = await startScanner();
  const results = await runCheck({ ...checkedTarget(scanner), control: undefined }, newest, {
    stages: new Set(['core']),
    only: (id) => id === 'state.core-stall',
  });
  expect(results).toMatchObject([
    { verdict: 'not-tested', reason: 'needs a control port that injects faults' },
  ]);
});

/** True for what JSON keeps as it is. Members that are undefined are left out. */
function isJson(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0);
  if (typeof value !== 'object' || value === null)
    return ['string', 'boolean', 'object'].includes(typeof value);
  const isPlain = Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
  return isPlain && Object.values(value).every((member) => member === undefined || isJson(member));
}
