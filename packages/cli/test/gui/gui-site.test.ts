import { createServer } from 'node:http';
import type { SiteList } from '@azimuth/http';
import { temporaryFolder } from '@azimuth/test-support/serve-process';
import { TestScanner } from '@azimuth/test-support/test-scanner';
import { until } from '@azimuth/test-support/waiting';
import { expect, onTestFinished, test } from 'vitest';
import { GuiServer } from '../../src/gui/gui-server.js';
import { WatchedSite } from '../../src/gui/watched-site.js';
import { guiOf } from './gui-of.js';

async function opened(server: GuiServer): Promise<string> {
  onTestFinished(() => server.close());
  return (await server.open()).replace(/\/$/, '');
}

/** Asks for the list until it has these states. */
async function listedAs(address: string, ...states: readonly string[]) {
  let list: SiteList | undefined;
  await until(async () => {
    list = await (await fetch(`${address}/site`)).json();
    return JSON.stringify(list?.scanners.map(({ state }) => state)) === JSON.stringify(states);
  });
  return list;
}

test('the list has a row for each scanner', async () => {
  const scanner = await TestScanner.start();
  const url = scanner.service.url ?? '';
  const address = await opened(guiOf(temporaryFolder(), url));
  const response = await fetch(`${address}/site`);
  expect(response.headers.get('Cache-Control')).toBe('no-store');
  expect(await listedAs(address, 'Measuring')).toMatchObject({
    ...{ total: 1, matching: 1, from: 0, severities: { good: 1, bad: 0 } },
    groups: [{ name: '', scanners: 1, trouble: 0 }],
    scanners: [{ path: '/s/0', url, state: 'Measuring', severity: 'good', trouble: [] }],
  });
});

test('a scanner that does not answer yet is being connected to, and one that refuses is gone', async () => {
  const silent = createServer();
  await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    silent.closeAllConnections();
    silent.close();
  });
  const at = silent.address();
  const port = typeof at === 'object' ? at?.port : 0;
  const address = await opened(guiOf(temporaryFolder(), `http://127.0.0.1:${port}`, 'http://127.0.0.1:1'));
  const list = await listedAs(address, 'Gone', 'Connecting');
  expect(list?.scanners).toMatchObject([
    { path: '/s/1', state: 'Gone', severity: 'bad', trouble: [expect.stringContaining('Does not answer')] },
    { path: '/s/0', state: 'Connecting', severity: 'idle', trouble: [] },
  ]);
});

test('names and groups of the devices file are in the list, and queries select by them', async () => {
  const scanners = [
    { url: 'http://127.0.0.1:1', name: 'hall/gate3', group: 'hall' },
    { url: 'http://127.0.0.1:2', name: 'yard/gate4', group: 'night' },
  ];
  const site = new WatchedSite(scanners);
  const server = new GuiServer({ folder: temporaryFolder(), host: '127.0.0.1', port: 0, scanners, site });
  const address = await opened(server);
  const { groups, scanners: rows } = await (await fetch(`${address}/site?group=night`)).json();
  expect(groups.map(({ name }: { name: string }) => name)).toEqual(['hall', 'night']);
  expect(rows).toMatchObject([{ name: 'yard/gate4', group: 'night', path: '/s/1' }]);
});

test.each([
  ['severity=worst', 'severity: expected one of'],
  ['sort=colour', 'sort: expected one of'],
  ['limit=-1', 'limit: expected a whole number'],
])('a query that cannot be answered is told so: %s', async (query, text) => {
  const address = await opened(guiOf(temporaryFolder(), 'http://127.0.0.1:1'));
  const response = await fetch(`${address}/site?${query}`);
  expect([response.status, await response.text()]).toEqual([400, expect.stringContaining(text)]);
});

test('pages of others and other verbs are refused', async () => {
  const address = await opened(guiOf(temporaryFolder(), 'http://127.0.0.1:1'));
  const foreign = await fetch(`${address}/site`, { headers: { Origin: 'https://foreign.example' } });
  expect(foreign.status).toBe(403);
  expect((await fetch(`${address}/site`, { method: 'POST' })).status).toBe(405);
});

test('a scanner is watched again at its new address', async () => {
  const scanner = await TestScanner.start();
  const site = new WatchedSite([{ url: 'http://127.0.0.1:1', name: 'gate3', group: '' }]);
  onTestFinished(() => site.close());
  await until(async () => (await site.rows())[0]?.state === 'Gone');
  await site.moved(0, scanner.service.url ?? '');
  await until(async () => (await site.rows())[0]?.state === 'Measuring');
  expect(await site.rows()).toMatchObject([{ name: 'gate3', url: scanner.service.url }]);
});
