import { once } from 'node:events';
import { readFile, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { openControl } from '@azimuth/bridge/control';
import { readSession, SessionWriter, serveSession } from '@azimuth/bridge/session';
import { Timeline, type TimelineEntry } from '@azimuth/bridge/timeline';
import { Scanner } from '@azimuth/client';
import { temporaryFolder } from '@azimuth/test-support/files';
import { startScanner } from '@azimuth/testing';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';

const password = 'servicelevel';
const everyPort = { host: '127.0.0.1', ports: { http: 0, text: 0, binary: 0 } };

function neverFails(error: unknown): never {
  throw error;
}

/** What a program receives that reads, logs in and writes, follows an event, and speaks the legacy protocol. */
async function received(
  ports: { readonly http?: number | undefined; readonly text?: number | undefined },
  heat: () => Promise<void>,
) {
  const url = `http://127.0.0.1:${ports.http}`;
  const read = async (name: string) => {
    const response = await fetch(`${url}/api/${name}`);
    return [response.status, response.headers.get('azimuth-detail'), await response.text()];
  };
  const client = new Scanner({ url, user: 'Service', password });
  const all: unknown[] = [await read('LocationName')];
  await client.write('LocationName', 'Gate 3');
  all.push(await read('LocationName'), await read('Nothing'));
  const refused = await client
    .writeAny('EtherIPAddress', [1, 2, 3, 300])
    .catch((error: unknown) => String(error));
  all.push(refused);
  const socket = new WebSocket(`ws://127.0.0.1:${ports.http}/apievents`);
  await once(socket, 'open');
  socket.send('{"type":"register","event":"CurrentTempDev","clientId":7}');
  all.push(String((await once(socket, 'message'))[0]));
  const [event] = await Promise.all([once(socket, 'message'), heat()]);
  all.push(String(event[0]));
  socket.close();
  const legacy = connect(ports.text ?? 0, '127.0.0.1').setEncoding('latin1');
  for (const telegram of [
    '\x02sMN SetAccessMode 4 81BE23AA\x03',
    '\x02sRN LocationName\x03',
    '\x02sRN Nothing\x03',
  ]) {
    legacy.write(telegram);
    all.push((await once(legacy, 'data'))[0]);
  }
  legacy.destroy();
  return all;
}

test('a program gets the same bytes from a recorded session as from the scanner', async () => {
  const path = join(temporaryFolder(), 'hall.session');
  const scanner = await startScanner({ clock: 'real' });
  const timeline = new Timeline();
  const writer = await SessionWriter.open(path, timeline, { target: scanner.url, failed: neverFails });
  const control = await openControl({
    ...{ ...everyPort, timeline, failed: neverFails, target: { url: scanner.url } },
    legacy: { text: scanner.ports.legacyA ?? 0 },
  });
  const fromScanner = await received(control.ports, () => scanner.simulation.temperature(41));
  await control.close();
  await writer.close();
  await scanner.close();

  expect((await stat(path)).mode & 0o777).toBe(0o600);
  const text = await readFile(path, 'latin1');
  expect(text).not.toContain('81BE23AA');
  expect(text).not.toMatch(/"response":\s*"[0-9a-f]{64}|\\"response\\":\\"[0-9a-f]{64}/);

  const told: TimelineEntry[] = [];
  const served = new Timeline();
  served.follow((entry) => told.push(entry));
  const replay = await serveSession(await readSession(path), {
    ...everyPort,
    timeline: served,
    failed: neverFails,
  });
  onTestFinished(() => replay.close());
  expect(await received(replay.ports, () => Promise.resolve())).toEqual(fromScanner);

  const unknown = await fetch(`http://127.0.0.1:${replay.ports.http}/api/SerialNumber`);
  expect(await unknown.json()).toEqual({ header: { status: 3, message: 'Internal Server Error' } });
  expect(unknown.headers.get('azimuth-detail')).toBe(
    `the session ${path} has no request GET /api/SerialNumber`,
  );
  expect(told).toContainEqual(
    expect.objectContaining({
      kind: 'finding',
      of: 'request GET /api/SerialNumber',
      where: `the session ${path}`,
    }),
  );
});
