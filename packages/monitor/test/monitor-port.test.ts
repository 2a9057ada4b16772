import { Scanner } from '@azimuth/client';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../src/clock.js';
import { defaultLimits } from '../src/conditions/limits.js';
import { History } from '../src/history/history.js';
import { MemoryLog } from '../src/log/memory-log.js';
import { Monitor } from '../src/monitor.js';
import { MonitorPort } from '../src/port/monitor-port.js';
import { siteOfMonitor } from '../src/site/site-of-monitor.js';
import { MemoryLastParameters } from '../src/state/last-parameters.js';

function expectNone(error: unknown): void {
  throw error;
}

async function openPort(): Promise<string> {
  const scanner = new Scanner({ url: 'http://127.0.0.1:1' });
  const monitor = new Monitor({
    ...{ clock: systemClock, store: new MemoryLog(), outputs: [], interval: 10, parameters: 300 },
    ...{ lastParameters: new MemoryLastParameters(), random: () => 0.5, reportError: expectNone },
    scanners: [{ name: 'gate3', scanner, limits: defaultLimits }],
  });
  const site = siteOfMonitor({
    ...{ clock: systemClock, store: new MemoryLog(), history: new History(10) },
    snapshots: async () => monitor.snapshots,
    placeOf: ({ name }) => ({ path: name, group: 'hall' }),
  });
  const port = new MonitorPort({ monitor, site, host: '127.0.0.1', port: 0, reportError: expectNone });
  onTestFinished(() => port.close());
  return `http://127.0.0.1:${await port.open()}`;
}

test.each([
  ['/', 'text/html; charset=utf-8', 'gate3'],
  ['/scanners', 'application/json', '"name":"gate3"'],
  ['/metrics', 'text/plain; version=0.0.4; charset=utf-8', 'azimuth_monitor_reachable'],
  ['/site', 'application/json', '"group":"hall"'],
  ['/site/history?scanner=gate3', 'application/json', '{"values":[]}'],
  ['/site/log?scanner=gate3', 'application/json', '{"entries":[],"more":false}'],
  ['/healthz', 'text/plain; charset=utf-8', 'ok'],
])('%s is %s', async (path, mediaType, part) => {
  const response = await fetch((await openPort()) + path);
  expect(response.status).toBe(200);
  expect(response.headers.get('Content-Type')).toBe(mediaType);
  expect(response.headers.get('X-Content-Type-Options')).toBe('nosniff');
  expect(await response.text()).toContain(part);
});

test.each([
  ['/site?sort=colour', 400, 'sort: expected one of'],
  ['/site/history', 400, 'scanner: expected the path of a scanner'],
  ['/site/history?scanner=gate4', 404, 'scanner: expected the path of a scanner of the list, got "gate4"'],
  ['/site/history?scanner=gate3&value=mood', 404, 'value: expected one of none, got "mood"'],
  ['/site/history?scanner=gate3&value=x&since=now', 400, 'since: expected a whole number'],
  ['/site/log?severity=worst', 400, 'severity: expected one of error, warning, info, got "worst"'],
  [`/site/log?q=${'x'.repeat(201)}`, 400, 'q: expected at most 200 characters, got 201'],
  ['/site/log?before=-1', 400, 'before: expected a whole number'],
  ['/site/log?scanner=', 404, 'scanner: expected the path'],
])('%s is answered %i in words', async (path, status, text) => {
  const response = await fetch((await openPort()) + path);
  expect([response.status, await response.text()]).toEqual([status, expect.stringContaining(text)]);
});

test('the page runs no script, and no other page may show it in a frame', async () => {
  const { headers } = await fetch(await openPort());
  expect(headers.get('Content-Security-Policy')).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
});

test('other paths, other verbs and pages of others are refused in words', async () => {
  const url = await openPort();
  const unknown = await fetch(`${url}/api/DeviceIdent`);
  expect([unknown.status, await unknown.text()]).toEqual([404, expect.stringContaining('/metrics')]);
  const post = await fetch(`${url}/metrics`, { method: 'POST', body: 'x' });
  expect([post.status, post.headers.get('Allow')]).toEqual([405, 'GET, HEAD']);
  const foreign = await fetch(`${url}/scanners`, { headers: { Origin: 'https://foreign.example' } });
  expect(foreign.status).toBe(403);
});
