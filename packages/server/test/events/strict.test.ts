import { once } from 'node:events';
import { TestScanner } from '@azimuth/test-support/test-scanner';
import { expect, test } from 'vitest';
import { EventClient } from './client.js';

const web = { strictEvents: true };

test('without permessage-deflate the connection is closed with 1002', async () => {
  const scanner = await TestScanner.start({ web });
  const client = await EventClient.open(scanner.httpPort, '/apievents', { perMessageDeflate: false });
  client.say({ type: 'register', event: 'DeviceStatus', clientId: 1 });
  expect(await client.ending).toBe(1002);
  await expect(client.next()).rejects.toThrow('closed');
});

test('registrations within 200 ms reset the connection', async () => {
  const scanner = await TestScanner.start({ web });
  const client = await EventClient.open(scanner.httpPort);
  await client.register('DeviceStatus');
  // 20 ms are allowed for the network.
  scanner.clock.advance(180);
  await client.register('SCdevicestate');
  client.say({ type: 'deregister', event: 'SCdevicestate', clientId: 1 });
  scanner.clock.advance(179);
  client.say({ type: 'register', event: 'UpdateState', clientId: 1 });
  const [error] = await once(client.connection ?? client.socket, 'error');
  expect(error).toMatchObject({ code: 'ECONNRESET' });
});

test('/x/events is not affected', async () => {
  const scanner = await TestScanner.start({ web });
  const client = await EventClient.open(scanner.httpPort, '/x/events', { perMessageDeflate: false });
  expect(await client.all()).toEqual([]);
});

test('without the option neither rule applies', async () => {
  const scanner = await TestScanner.start();
  const client = await EventClient.open(scanner.httpPort, '/apievents', { perMessageDeflate: false });
  expect(await client.register('DeviceStatus')).toMatchObject({ status: 0 });
  expect(await client.register('UpdateState')).toMatchObject({ status: 0 });
});
