import { readFileSync } from 'node:fs';
import { temporaryFolder } from '@azimuth/test-support/files';
import { FleetProcess } from '@azimuth/test-support/fleet-process';
import { expect, test } from 'vitest';
import { get, post } from './attacks.js';
import { closedLoop, type Target, unread, unreadFor } from './clients.js';
import { ScanLag } from './scan-lag.js';

/** ms for each attack in the long form (npm run campaign flood-fleet). The short form has fewer clients. */
const long = process.env.AZIMUTH_FLOOD_MS;
const only = process.env.AZIMUTH_FLOOD_ONLY ?? '';
const words = (text: string) => text.split(' ').filter((word) => word !== '');
FleetProcess.launcher = words(process.env.AZIMUTH_FLOOD_LAUNCHER ?? '');

/**
 * How long (ms) scan data may be held back by what a stranger sends. The short form runs beside other tests, which take the
 * processor from the fleet at times.
 */
const longest = long === undefined ? 2000 : 50;

/** Connections that read nothing, and MB that they may take of a gateway. */
const connections = long === undefined ? 300 : 1000;
const mostMegabytes = 300;

const scanners = 10_000;
const [streaming, other] = ['10000001', '10000002'];
const limit = long === undefined ? 600_000 : 7_200_000;

function residentMegabytes({ child }: FleetProcess): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}

/** Lists of which no two are the same. */
const lists = Array.from({ length: 300 }, (_, index) => get(`/scanners?q=*${index}*&limit=7`)).join('');

/** Lists of the GUI of which no two are the same. */
const siteLists = Array.from({ length: 300 }, (_, index) => get(`/site?q=${index}&limit=500`)).join('');

/** Everything that the port of a fleet serves to anybody, and a scanner behind it. */
const requests: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [
      ...['/', '/?scanners', '/site', '/site?q=1&from=500', '/icon.svg', '/assets/nothing.js', '/nothing'],
      ...['/scanners', '/scanners?q=*1*', '/scanners?state=idle', '/scanners?limit=500', '/scanners?group=x'],
      ...['/fleet', '/metrics', '/healthz', '/readyz', '/fleet/events'],
      ...[
        '',
        '/',
        '/docs',
        '/docs/interface.json',
        '/openapi.json',
        '/metrics',
        '/healthz',
        '/cloud.pcd',
      ].map((path) => `/scanners/${other}${path}`),
      ...[
        '/data',
        '/x/stored',
        '/x/history',
        '/x/sim',
        '/api/DeviceStatus',
        '/api/certificateBundleInfo',
      ].map((path) => `/scanners/${other}${path}`),
      ...['/api/Nothing', '/nothing', '/apievents'].map((path) => `/scanners/${other}${path}`),
      '/scanners/nobody/api/DeviceStatus',
    ].flatMap((path) => [
      [`GET ${path}`, get(path)],
      [`HEAD ${path}`, get(path).replace('GET', 'HEAD')],
    ]),
  ),
  'GET different lists': lists,
  'GET different lists of the GUI': siteLists,
  'HEAD different lists': lists.replaceAll('GET', 'HEAD'),
  'POST /fleet/power of others': post('/fleet/power', '{"scanners":"*","power":"cycle"}').replace(
    'localhost',
    'hall',
  ),
  'POST a list': post('/scanners', 'x'.repeat(60_000)),
  'POST /api/getChallenge': post(`/scanners/${other}/api/getChallenge`, '{"data":{"user":"Service"}}'),
};

/** Each path on its own in the long form; every tenth in the short one. */
function attacks(): readonly (readonly [name: string, request: string])[] {
  const all = Object.entries(requests);
  return long === undefined ? all.filter((_, index) => index % 10 === 4) : all;
}

test.each([
  ['a fleet', []],
  ['a gateway', ['--processes', '2']],
])(
  'no request without a login to %s delays the scan data of its scanners',
  async (what, options) => {
    const fleet = await FleetProcess.start(
      ...['--count', String(scanners), '--data', temporaryFolder(), ...options],
    );
    const scanner = fleet.scanner(streaming);
    const lag = await ScanLag.by((name, value) => scanner.writeAny(name, value).then(() => undefined));
    await fleet.scanner(other).read('SerialNumber');
    const target: Target = { port: Number(new URL(fleet.url).port) };
    const clients = long === undefined ? 8 : 300;
    const ms = Number(long ?? 15);
    const late: string[] = [];
    for (const [name, request] of attacks()) {
      if (!name.includes(only)) continue;
      for (const [how, run] of [
        ['unread', unreadFor],
        ['closed loop', closedLoop],
      ] as const) {
        lag.reset();
        await run(ms, target, clients, request);
        const worst = lag.worst.toFixed(1).padStart(8);
        const line = `${worst} ms ${residentMegabytes(fleet).toFixed(0).padStart(6)} MB  ${what}: ${name}, ${how}`;
        if (long !== undefined) process.stdout.write(`${line}\n`);
        if (lag.worst > longest) late.push(line);
      }
    }
    expect(await scanner.read('DeviceStatus')).toBe(3);
    lag.close();
    await fleet.end('SIGTERM');
    expect(late).toEqual([]);
  },
  limit,
);

test(
  `${connections} connections that read nothing leave a gateway its memory, and its liveness`,
  async () => {
    const data = temporaryFolder();
    const fleet = await FleetProcess.start('--count', String(scanners), '--data', data, '--processes', '2');
    await fleet.scanner(other).read('SerialNumber');
    const target: Target = { port: Number(new URL(fleet.url).port) };
    const large: string[] = [];
    for (const [name, request] of attacks()) {
      if (!name.includes(only)) continue;
      const stop = await unread(target, connections, request);
      let highest = 0;
      const end = performance.now() + Number(long ?? 200);
      do {
        expect((await fetch(`${fleet.url}/healthz`)).status).toBe(200);
        highest = Math.max(highest, residentMegabytes(fleet));
      } while (performance.now() < end);
      stop();
      const line = `${highest.toFixed(0).padStart(6)} MB  ${name}`;
      if (long !== undefined) process.stdout.write(`${line}\n`);
      if (highest > mostMegabytes) large.push(line);
    }
    await fleet.end('SIGTERM');
    expect(large).toEqual([]);
  },
  limit,
);
