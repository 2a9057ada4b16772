import { Scanner } from '@azimuth/client';
import { expect, test } from 'vitest';
import { type SomeFleet, someFleet, units, urlOf } from '../../../../tests/support/some-fleet.js';
import { latch, until } from '../../../../tests/support/waiting.js';

async function requestsOf({ url }: SomeFleet): Promise<readonly string[]> {
  const page = await (await fetch(`${url}/metrics`)).text();
  return page.split('\n').filter((line) => line.startsWith('azimuth_fleet_requests_total{'));
}

const counted = (hall: number, gate: number) => [
  `azimuth_fleet_requests_total{group="hall"} ${hall}`,
  `azimuth_fleet_requests_total{group="gate"} ${gate}`,
];

test('requests of scanners that were removed count on in their group, and those of scanners that come back are added', async () => {
  const facts = units(3, (number) => ({ group: number === 3 ? 'gate' : 'hall' }));
  const some = await someFleet(facts);
  const ask = (serial: string) => new Scanner({ url: urlOf(some, serial) }).read('SerialNumber');
  for (const serial of ['1', '1', '2', '3']) await ask(serial);
  expect(await requestsOf(some)).toEqual(counted(3, 1));
  await some.fleet.remove(['1', '3']);
  expect((await requestsOf(some)).toSorted()).toEqual(counted(3, 1).toSorted());
  await some.fleet.add(facts.filter(({ serial }) => serial !== '2'));
  await ask('1');
  expect((await requestsOf(some)).toSorted()).toEqual(counted(4, 1).toSorted());
});

test('requests of a scanner count while it is being removed', async () => {
  const some = await someFleet(units(1));
  await new Scanner({ url: urlOf(some, '1') }).read('SerialNumber');
  const goOn = latch();
  const [unit] = some.fleet.units.values();
  if (unit === undefined) throw new Error('there is one');
  const answered = unit.answered.bind(unit);
  unit.answered = () => goOn.opened.then(answered);
  const removed = some.fleet.remove(['1'], new Promise(() => undefined));
  await until(() => some.fleet.units.size === 0);
  expect(await requestsOf(some)).toEqual(counted(1, 0).slice(0, 1));
  goOn.open();
  await removed;
  expect(await requestsOf(some)).toEqual(counted(1, 0).slice(0, 1));
});
