import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { openControl } from '@azimuth/bridge/control';
import { Timeline } from '@azimuth/bridge/timeline';
import { SystemClock, VirtualClock } from '@azimuth/device';
import { type FaultPlan, WireFaults } from '@azimuth/simulation/faults';
import { startScanner } from '@azimuth/testing';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';

/** A relay with a plan, before a scanner without faults. */
function faulty(...faults: FaultPlan['faults']) {
  return faultyBy(new SystemClock(), faults);
}

async function faultyBy(clock: SystemClock | VirtualClock, faults: FaultPlan['faults']) {
  const scanner = await startScanner({ clock: 'real' });
  onTestFinished(() => scanner.close());
  const timeline = new Timeline();
  const happened: string[] = [];
  timeline.follow((entry) => {
    if (entry.kind === 'fault') happened.push(`${entry.fault} on ${entry.on}`);
  });
  const wire = new WireFaults({ faults }, { clock });
  const control = await openControl({
    target: { url: scanner.url },
    legacy: { text: scanner.ports.legacyA ?? 0 },
    ...{ host: '127.0.0.1', ports: { http: 0, text: 0 }, timeline, faults: wire },
    failed: (error) => expect.unreachable(String(error)),
  });
  onTestFinished(() => {
    wire.close();
    return control.close();
  });
  const { http = 0, text = 0 } = control.ports;
  return { url: `http://127.0.0.1:${http}`, text, happened };
}

/** Resolves when a connection is closed, also by a reset. */
function closed(connection: Socket | WebSocket): Promise<void> {
  return new Promise((resolve) => {
    connection.on('error', () => undefined);
    connection.on('close', () => resolve());
  });
}

test('requests of a real scanner have planned faults, and the timeline tells of them', async () => {
  const { url, happened } = await faulty(
    { kind: 'http-status', endpoint: 'LocationName', status: 6, first: 1 },
    { kind: 'http-429', endpoint: 'SerialNumber', retryAfter: 3, first: 1 },
    { kind: 'http-truncated', endpoint: 'DeviceIdent', bytes: 7 },
    { kind: 'http-reset', endpoint: 'OrderNumber' },
    { kind: 'http-latency', endpoint: 'DeviceStatus', latency: 40 },
  );
  const read = (name: string) => fetch(`${url}/api/${name}`);
  expect(await (await read('LocationName')).json()).toEqual({
    header: { status: 6, message: 'Out Of Range' },
  });
  expect((await (await read('LocationName')).json()).header.status).toBe(0);
  const busy = await read('SerialNumber');
  expect([busy.status, busy.headers.get('retry-after')]).toEqual([429, '3']);
  await expect(read('DeviceIdent').then((response) => response.text())).rejects.toThrow();
  await expect(read('OrderNumber')).rejects.toThrow();
  const begun = performance.now();
  await (await read('DeviceStatus')).text();
  expect(performance.now() - begun).toBeGreaterThan(39);
  expect(happened).toEqual([
    'http-status on GET /api/LocationName',
    'http-429 on GET /api/SerialNumber',
    'http-truncated on GET /api/DeviceIdent',
    'http-reset on GET /api/OrderNumber',
    'http-latency on GET /api/DeviceStatus',
  ]);
});

test('events and legacy telegrams of a real scanner have planned faults', async () => {
  const { url, text, happened } = await faulty(
    { kind: 'events-drop', how: 'close', after: 1 },
    { kind: 'legacy-sfa', contains: 'SerialNumber', code: 20 },
    { kind: 'legacy-no-end', contains: 'DeviceStatus' },
  );
  const socket = new WebSocket(`${url.replace('http', 'ws')}/apievents`);
  await once(socket, 'open');
  socket.send('{"type":"register","event":"CurrentTempDev","clientId":1}');
  await once(socket, 'message');
  socket.send('{"type":"register","event":"DeviceStatus","clientId":1}');
  expect((await once(socket, 'close'))[0]).toBe(1006);
  const legacy = connect(text, '127.0.0.1').setEncoding('latin1');
  const answer = async (name: string) => {
    legacy.write(`\x02sRN ${name}\x03`);
    return (await once(legacy, 'data'))[0];
  };
  expect(await answer('SerialNumber')).toBe('\x02sFA 14\x03');
  expect(await answer('DeviceStatus')).toBe('\x02sRA DeviceStatus 3');
  legacy.destroy();
  expect(happened).toEqual([
    'events-drop on message of events',
    'legacy-sfa on sRN SerialNumber',
    'legacy-no-end on sRA DeviceStatus',
  ]);
});

test('a pulled cable resets the connections of programs, and refuses new ones until it is back', async () => {
  const clock = new VirtualClock();
  const plan = { kind: 'link-down', connections: 'reset', at: 1000, for: 1000 } as const;
  const { url, text, happened } = await faultyBy(clock, [plan]);
  const status = async () => (await fetch(`${url}/api/LocationName`)).status;
  expect(await status()).toBe(200);
  const socket = new WebSocket(`${url.replace('http', 'ws')}/apievents`);
  await once(socket, 'open');
  const legacy = connect(text, '127.0.0.1');
  await once(legacy, 'connect');
  legacy.write('\x02sRN LocationName\x03');
  await once(legacy, 'data');
  const ended = [socket, legacy].map(closed);
  clock.advance(1000);
  await Promise.all(ended);
  await expect(status()).rejects.toThrow();
  await closed(connect(text, '127.0.0.1'));
  clock.advance(1000);
  expect(await status()).toBe(200);
  expect(happened).toEqual(['link-down on all connections']);
});
