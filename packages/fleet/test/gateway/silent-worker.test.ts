import type { ServerResponse } from 'node:http';
import { scannerFacts } from '@azimuth/test-support/some-fleet';
import { until } from '@azimuth/test-support/waiting';
import { expect, test } from 'vitest';
import { gatewayTo, type SomeGateway, standIn, worker } from './gateway-and-workers.js';

/** A worker of the scanner 2 that does not respond until it is told to. */
async function silentWorker() {
  const waiting: ServerResponse[] = [];
  let isSilent = true;
  const answer = (response: ServerResponse) =>
    response
      .writeHead(200, { 'Content-Type': 'application/json' })
      .end(JSON.stringify([{ serialNumber: '2', state: 'running' }]));
  const address = await standIn((_, response) => {
    if (isSilent) waiting.push(response);
    else answer(response);
  });
  const speak = () => {
    isSilent = false;
    for (const response of waiting.splice(0)) answer(response);
  };
  return { address, waiting, speak };
}

/** The scanner 1 has a worker that responds, 2 a silent one, and 3 none. */
async function gatewayToSilent() {
  const [one, silent] = [await worker(scannerFacts(1)), await silentWorker()];
  const gateway = await gatewayTo([one, silent.address], 3);
  gateway.owners.set('1', one);
  gateway.owners.set('2', silent.address);
  return { gateway, silent };
}

async function statesOf({ url }: SomeGateway, query = ''): Promise<unknown> {
  const listed: unknown = await (await fetch(`${url}/scanners${query}`)).json();
  return Array.isArray(listed) ? listed.map(({ serialNumber, state }) => `${serialNumber} ${state}`) : listed;
}

const withSilent = ['1 idle', '2 silent', '3 waiting'];

test('a list says which scanners are of a worker that does not answer, and waits for that worker once', async () => {
  const { gateway, silent } = await gatewayToSilent();
  expect(await statesOf(gateway)).toEqual(withSilent);
  const began = performance.now();
  for (let count = 0; count < 10; count++) expect(await statesOf(gateway)).toEqual(withSilent);
  expect(await statesOf(gateway, '?state=silent')).toEqual(['2 silent']);
  expect(await (await fetch(`${gateway.url}/fleet`)).json()).toMatchObject({ workers: 2, silentWorkers: 1 });
  // The first of them has waited for a second.
  expect(performance.now() - began).toBeLessThan(900);
  // The list that has waited, and one probe of the silent worker.
  expect(silent.waiting).toHaveLength(2);
});

test('a page without its scanners does not wait for a silent worker at all', async () => {
  const { gateway, silent } = await gatewayToSilent();
  expect(await statesOf(gateway, '?limit=1')).toEqual(['1 idle']);
  expect(silent.waiting).toHaveLength(0);
});

test('a worker that answers again is listed again', async () => {
  const { gateway, silent } = await gatewayToSilent();
  expect(await statesOf(gateway)).toEqual(withSilent);
  silent.speak();
  await until(async () => String(await statesOf(gateway, '?serials=2')) === '2 running');
  expect(await statesOf(gateway)).toContain('2 running');
});
