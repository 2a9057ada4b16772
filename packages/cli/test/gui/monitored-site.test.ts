import { createServer, type RequestListener } from 'node:http';
import type { SiteLog, SiteScanner } from '@azimuth/http';
import { respondSite, type Site, siteAnswer } from '@azimuth/http';
import { describe, expect, onTestFinished, test } from 'vitest';
import { MonitorClient } from '../../src/gui/monitor-client.js';
import { monitoredScanners } from '../../src/gui/monitored-scanners.js';
import { MonitoredSite } from '../../src/gui/monitored-site.js';
import { azimuth } from '../run.js';

function row(path: string, url: string, different: Partial<SiteScanner> = {}): SiteScanner {
  const common = { group: '', state: 'Measuring', severity: 'good', trouble: [] } as const;
  return { path, url, name: path, ...common, ...different };
}

const gate3 = row('hall/gate3', 'http://192.0.2.3', { group: 'hall', temperature: 41, serialNumber: '1' });
const gate4 = row('192.0.2.4', 'http://192.0.2.4', { name: 'Gate 4', state: 'Gone', severity: 'bad' });

async function listening(listener: RequestListener) {
  const server = createServer(listener);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  onTestFinished(close);
  const address = server.address();
  return { url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`, close };
}

/** The port of a monitor with these scanners. `asked` has the queries for its log. */
async function monitor(rows: readonly SiteScanner[] = [gate3, gate4]) {
  const asked: unknown[] = [];
  const curve = { name: 'temperature', label: 'Temperature', unit: '°C' };
  const log: SiteLog = {
    entries: ['hall/gate3', 'yard/gate9', ''].map((path) => ({
      ...{ at: 5, path, name: path, severity: 'info', kind: 'happening', text: 'boot' },
    })),
    more: true,
  };
  const site: Site = {
    rows: async () => rows,
    history: {
      curves: async () => [curve],
      points: async (path, name, since) =>
        name === curve.name ? { ...curve, points: [[since ?? 0, path.length]] } : undefined,
    },
    log: async (query) => {
      asked.push(query);
      return log;
    },
  };
  const port = await listening((request, response) => {
    void siteAnswer(site, request.url ?? '').then((answer) => respondSite(response, answer));
  });
  return { ...port, asked };
}

const shown = (name: string, url: string, group = '') => ({ name, url, group });

describe('the scanners of a monitor', () => {
  test('are shown, if none are named', async () => {
    const { url } = await monitor();
    expect(await monitoredScanners(new MonitorClient(url))).toEqual([
      shown('192.0.2.4', 'http://192.0.2.4'),
      shown('hall/gate3', 'http://192.0.2.3', 'hall'),
    ]);
  });

  test('are many: all pages of the list are read', async () => {
    const { url } = await monitor(
      Array.from({ length: 1234 }, (_, index) => row(`gate${index}`, `http://192.0.2.1:${index + 1}`)),
    );
    expect(await monitoredScanners(new MonitorClient(url))).toHaveLength(1234);
  });

  test('are left out if their address is none of a web server, or has a password', async () => {
    const bad = ['file:///etc/passwd', 'http://anna:secret@192.0.2.5', 'javascript:alert(1)', ''];
    const { url } = await monitor([gate3, ...bad.map((address, index) => row(`bad${index}`, address))]);
    expect((await monitoredScanners(new MonitorClient(url))).map(({ name }) => name)).toEqual(['hall/gate3']);
  });
});

describe('the rows', () => {
  const scanners = [
    shown('gate4', 'http://192.0.2.4', 'yard'),
    shown('hall/gate3', 'http://192.0.2.99'),
    shown('gate5', 'http://192.0.2.5'),
  ];

  test('are those of the monitor, by name or by address, with names and groups of the devices file', async () => {
    const { url } = await monitor();
    expect(await new MonitoredSite(new MonitorClient(url), scanners).rows()).toEqual([
      { ...gate4, path: '/s/0', name: 'gate4', group: 'yard' },
      { ...gate3, path: '/s/1', url: 'http://192.0.2.99' },
      {
        ...row('/s/2', 'http://192.0.2.5', { name: 'gate5', severity: 'warn', state: 'Not watched' }),
        trouble: ['The monitor does not watch this scanner'],
      },
    ]);
  });

  test('of scanners that were named by their address have the name at the monitor', async () => {
    const { url } = await monitor();
    const site = new MonitoredSite(new MonitorClient(url), [shown('192.0.2.4', 'http://192.0.2.4')]);
    expect(await site.rows()).toMatchObject([{ name: 'Gate 4' }]);
  });

  test('are as they were last known while the monitor is away, and say since when', async () => {
    const { url, close } = await monitor();
    const site = new MonitoredSite(new MonitorClient(url), scanners);
    await site.rows();
    close();
    await site.moved(1, 'http://192.0.2.3');
    const before = Date.now();
    const [, known] = await site.rows();
    expect(known).toMatchObject({ state: 'Measuring', severity: 'warn', temperature: 41 });
    expect(known?.trouble).toEqual([expect.stringContaining('No news from the monitor: the monitor at')]);
    expect(known?.troubleSince).toBeGreaterThanOrEqual(before);
  });

  test('say nothing of scanners before the monitor has answered', async () => {
    const site = new MonitoredSite(new MonitorClient('http://127.0.0.1:1'), scanners);
    const [first] = await site.rows();
    expect(first).toMatchObject({ state: 'Connecting', severity: 'warn', name: 'gate4' });
    expect(first?.trouble).toEqual([expect.stringContaining('No news from the monitor')]);
  });
});

describe('history and log', () => {
  test('are those of the monitor, whose paths are other ones', async () => {
    const { url, asked } = await monitor();
    const site = new MonitoredSite(new MonitorClient(url), [shown('hall/gate3', 'http://192.0.2.3')]);
    const ask = (path: string) => siteAnswer(site, path);
    expect(await ask('/site/history?scanner=/s/0')).toMatchObject({
      json: { values: [{ name: 'temperature', unit: '°C' }] },
    });
    expect(await ask('/site/history?scanner=/s/0&value=temperature&since=7')).toMatchObject({
      json: { points: [[7, 'hall/gate3'.length]] },
    });
    expect(await ask('/site/history?scanner=/s/0&value=mood')).toMatchObject({ status: 404 });
    const { json } = { json: undefined, ...(await ask('/site/log?scanner=/s/0&q=boot&before=9&limit=5')) };
    expect(json).toMatchObject({
      entries: [
        { path: '/s/0', name: 'hall/gate3' },
        { path: '', name: 'yard/gate9' },
        { path: '', name: '' },
      ],
      more: true,
    });
    expect(asked).toEqual([
      { scanner: 'hall/gate3', words: ['boot'], severity: undefined, before: 9, limit: 5 },
    ]);
  });

  test('that are about no scanner, or about another one, belong to none that the monitor does not watch', async () => {
    const { url } = await monitor();
    const scanners = [shown('gate5', 'http://192.0.2.5'), shown('hall/gate3', 'http://192.0.2.3')];
    // Nobody has asked for the list yet.
    const answer = await siteAnswer(new MonitoredSite(new MonitorClient(url), scanners), '/site/log');
    expect(answer).toMatchObject({
      json: { entries: [{ path: '/s/1' }, { path: '', name: 'yard/gate9' }, { path: '', name: '' }] },
    });
  });

  test('are not there for a scanner that the monitor does not watch', async () => {
    const { url } = await monitor();
    const site = new MonitoredSite(new MonitorClient(url), [shown('gate5', 'http://192.0.2.5')]);
    expect(await siteAnswer(site, '/site/history?scanner=/s/0')).toEqual({
      ...{ status: 503, text: 'the monitor does not watch this scanner' },
    });
  });
});

describe('a hostile monitor', () => {
  test.each([
    ['a page', (_: unknown) => '<html>'],
    ['rows that are none', () => JSON.stringify({ matching: 1, history: true, log: true, scanners: [1] })],
    [
      'a list without an end',
      () => JSON.stringify({ matching: 1e9, history: true, log: true, scanners: [] }),
    ],
    ['too much', () => ' '.repeat(9 * 1024 * 1024)],
  ])('that answers %s is refused, or comes to an end', async (_, bodyOf) => {
    const { url } = await listening((request, response) => response.end(bodyOf(request)));
    await expect(monitoredScanners(new MonitorClient(url))).rejects.toThrow(/monitor|answered/);
  });

  test('that redirects is not followed', async () => {
    const { url } = await listening((_, response) => {
      response.writeHead(302, { Location: 'http://127.0.0.1:1/' }).end();
    });
    await expect(new MonitorClient(url).list()).rejects.toThrow('answered HTTP 302');
  });
});

test('a monitor that is not there is told before anything is shown', async () => {
  const { stderr, exitCode } = await azimuth('gui', '--port', '0', '--monitor', 'http://127.0.0.1:1');
  expect(stderr).toContain('the monitor at http://127.0.0.1:1 does not answer');
  expect(stderr).toContain('--monitor');
  expect(exitCode).not.toBe(0);
});
