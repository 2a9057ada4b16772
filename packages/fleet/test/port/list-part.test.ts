import { scannerFacts, someFleet } from '@azimuth/test-support/some-fleet';
import { expect, test, vi } from 'vitest';
import { type AllScanners, requestedPart } from '../../src/port/list-part.js';
import { gatewayTo, standIn } from '../gateway/gateway-and-workers.js';

interface One {
  readonly serial: string;
  readonly group: string;
}

/** Scanners 1, 2, 3 …, the even ones in the group `gate`. */
function scanners(count: number): AllScanners<One> {
  const inOrder = Array.from({ length: count }, (_, index) => ({
    serial: String(index + 1),
    group: index % 2 === 0 ? 'hall' : 'gate',
  }));
  const bySerial = new Map(inOrder.map((one) => [one.serial, one]));
  return { inOrder, get: (serial) => bySerial.get(serial) };
}

/** Returns the serial numbers that a query selects, and the number of scanners that were read. */
async function ask(query: string, all = scanners(2000)): Promise<{ serials: string; reads: number }> {
  let looks = 0;
  const part = await requestedPart(all, new URLSearchParams(query), (one) => {
    looks++;
    return one;
  });
  return { serials: part.map(({ serial }) => serial).join(), reads: looks };
}

test('a part of a list has the scanners that are asked for, in their order', async () => {
  expect((await ask('from=998&limit=2')).serials).toBe('999,1000');
  expect((await ask('group=gate&from=1&limit=2')).serials).toBe('4,6');
  expect((await ask('q=199*&limit=3')).serials).toBe('199,1990,1991');
  expect((await ask('q=gate/*&from=999')).serials).toBe('2000');
  expect((await ask('q=7')).serials).toBe('7');
  expect((await ask('q=7&group=gate')).serials).toBe('');
  expect((await ask('serials=3,2001,2,3')).serials).toBe('3,2');
  expect((await ask('from=1999&limit=0')).serials).toBe('');
  expect((await ask('')).serials.split(',')).toHaveLength(2000);
  await expect(ask('group=gate&limit=-1')).rejects.toThrow('limit: expected a whole number, got "-1"');
});

test('a page looks at its scanners alone, and at those before them if it chooses', async () => {
  expect((await ask('from=1900&limit=100')).reads).toBe(0);
  expect((await ask('group=gate&from=10&limit=10')).reads).toBe(40);
  expect((await ask('q=1234')).reads).toBe(1);
});

test('a fleet makes no list of all for a page of it', async () => {
  const some = await someFleet(scannerFacts(300));
  const looked = vi.fn();
  for (const scanner of some.fleet.scanners.values())
    vi.spyOn(scanner, 'state', 'get').mockImplementation(() => {
      looked();
      return 'idle';
    });
  const page: unknown = await (await fetch(`${some.url}/scanners?from=150&limit=100`)).json();
  expect(page).toMatchObject({ length: 100, 0: { serialNumber: '151', state: 'idle' } });
  expect(looked).toHaveBeenCalledTimes(100);
});

test('a gateway asks each worker for those scanners of a page that it runs', async () => {
  const asked: (string | null)[] = [];
  const listens = (name: string) =>
    standIn((request, response) => {
      asked.push(`${name}: ${new URL(request.url ?? '', 'http://worker').searchParams.get('serials')}`);
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('[]');
    });
  const [one, two, three] = [await listens('one'), await listens('two'), await listens('three')];
  const gateway = await gatewayTo([one, two, three], 100);
  for (let serial = 1; serial <= 50; serial++)
    gateway.owners.set(String(serial), serial % 2 === 0 ? one : two);
  await fetch(`${gateway.url}/scanners?from=10&limit=3`);
  expect(asked.sort()).toEqual(['one: 12', 'two: 11,13']);
  asked.length = 0;
  // No worker is known to run it.
  await fetch(`${gateway.url}/scanners?serials=99`);
  expect(asked.sort()).toEqual(['one: 99', 'three: 99', 'two: 99']);
});
