import { dataOf } from '@azimuth/test-support/client';
import { expectDone } from '@azimuth/test-support/envelope';
import { type JsonObject, object } from '@azimuth/test-support/json';
import { SceneScanner } from '@azimuth/test-support/scene-scanner';
import { openSocket } from '@azimuth/test-support/subscriber';
import { TestScanner } from '@azimuth/test-support/test-scanner';
import type { WebSocketClient } from '@azimuth/test-support/web-socket';
import { describe, expect, it } from 'vitest';

/** All that has come by now and that nobody has taken: the values of each announcement. */
async function announced(socket: WebSocketClient): Promise<readonly JsonObject[]> {
  await socket.pingPong();
  const found: JsonObject[] = [];
  while (socket.unread > 0) {
    const message = object(await socket.nextJson());
    expect(Object.keys(message)).toEqual(['changed']);
    found.push(object(message.changed));
  }
  return found;
}

async function listening() {
  const scanner = await SceneScanner.start();
  const socket = await openSocket(scanner.testScanner.httpPort, { path: '/x/events' });
  return { scanner, socket };
}

describe('/x/events', () => {
  it('pushes every written variable with the value of a GET, whether it is an event of the interface or not', async () => {
    const { scanner, socket } = await listening();
    await scanner.write('LocationName', 'Gate 3');
    expect(await announced(socket)).toEqual([{ LocationName: 'Gate 3' }]);
    await scanner.write('EtherIPAddress', [192, 168, 0, 7]);
    expect(await announced(socket)).toEqual([{ EtherIPAddress: [192, 168, 0, 7] }]);
    await scanner.drive(1, true);
    scanner.pass(10);
    const told = Object.assign({}, ...(await announced(socket)));
    expect(told.InputState).toEqual(await scanner.client.value('InputState'));
    expect(told.PortState).toEqual(await scanner.client.value('PortState'));
  });

  it('pushes no password, and ignores messages', async () => {
    const { scanner, socket } = await listening();
    socket.send('{"type":"register","event":"DeviceStatus","clientId":1}');
    socket.send('DeviceStatus');
    expect(await announced(socket)).toEqual([]);
    await scanner.client.call('SetPassword', { siUserLevel: 3, udiNewPassword: 1234567890 });
    expect(JSON.stringify(await announced(socket))).not.toContain('1234567890');
  });

  it.each(['1.4.0', '2.2.0', '2.3.3'] as const)('exists in release %s', async (release) => {
    const testScanner = await TestScanner.start({ release });
    const socket = await openSocket(testScanner.httpPort, { path: '/x/events' });
    expectDone(await testScanner.client().write('LocationName', 'Gate 3'));
    expect(await announced(socket)).toEqual([{ LocationName: 'Gate 3' }]);
    expect(dataOf(await testScanner.client().get('LocationName'))).toEqual({ LocationName: 'Gate 3' });
  });
});
