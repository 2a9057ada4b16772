import { extensions, fieldEvaluation } from '@azimuth/model';
import { expectDone } from '@azimuth/test-support/envelope';
import { object } from '@azimuth/test-support/json';
import { TestScanner } from '@azimuth/test-support/test-scanner';
import { expect, test, vi } from 'vitest';
import { EventClient } from './client.js';

async function watching(query = '') {
  const scanner = await TestScanner.start();
  return {
    scanner,
    http: scanner.client(),
    client: await EventClient.open(scanner.httpPort, `/x/events${query}`),
  };
}

test('each announcement is one frame with the written value', async () => {
  const { http, client } = await watching();
  await http.write('LocationName', 'Gate 3');
  await http.write('LocationName', 'Gate 4');
  expect(await client.all()).toEqual([
    { changed: { LocationName: 'Gate 3' } },
    { changed: { LocationName: 'Gate 4' } },
  ]);
});

test('variables that change together are in one message', async () => {
  const { http, client } = await watching();
  await http.write('LocationName', 'Gate 3');
  await client.all();
  expectDone(await http.call('LoadFactoryDefaults'));
  const told = (await client.all()).map(({ changed }) => Object.keys(object(changed)));
  expect(told).toContainEqual(['LastParaDate', 'LastParaTime']);
});

test('extensions have their path as their name', async () => {
  const { scanner, client } = await watching();
  const { fields } = extensions.members;
  const value = { evaluations: [], groups: [{ Id: 1, Name: 'a' }] };
  vi.spyOn(scanner.service.device, 'read').mockReturnValue(value);
  scanner.service.device.announcements.changed([fields]);
  expect(await client.all()).toContainEqual({ changed: { 'x/fields': value } });
});

test('with names, only these variables are sent, and also values that change continuously', async () => {
  const { scanner, http, client } = await watching('?names=InertialMeasurementUnit,LocationName');
  const all = await EventClient.open(scanner.httpPort, '/x/events');
  scanner.clock.advance(20);
  await http.write('Passphrase', 'x');
  await http.write('LocationName', 'Gate 3');
  const told = (await client.all()).map(({ changed }) => Object.keys(object(changed)));
  expect(told).toEqual([['InertialMeasurementUnit'], ['InertialMeasurementUnit'], ['LocationName']]);
  // A client that names no variables does not get it, even if another client follows it.
  expect(await all.all()).toEqual([{ changed: { LocationName: 'Gate 3' } }]);
});

test('values that change continuously go only to clients that name them, once each; changes go to every client', async () => {
  const { scanner, client: all } = await watching();
  const { FieldEvaluationResult } = fieldEvaluation.members;
  const naming = await EventClient.open(scanner.httpPort, '/x/events?names=FieldEvaluationResult');
  const { announcements } = scanner.service.device;
  announcements.changedRoutinely(FieldEvaluationResult);
  expect(await naming.all()).toEqual([{ changed: { FieldEvaluationResult: expect.anything() } }]);
  expect(await all.all()).toEqual([]);
  announcements.changed([FieldEvaluationResult]);
  for (const client of [naming, all]) expect(await client.all()).toHaveLength(1);
});

test('an unknown name is refused before the connection is upgraded', async () => {
  const scanner = await TestScanner.start();
  for (const names of ['X', 'LocationName,checkCredentials', 'x/X']) {
    expect(await EventClient.refused(scanner.httpPort, `/x/events?names=${names}`)).toBe(400);
  }
  await EventClient.open(scanner.httpPort, '/x/events?names=');
});

test('messages of the client are read and dropped', async () => {
  const { http, client } = await watching();
  client.say('{"type":"register","event":"DeviceStatus","clientId":1}');
  client.socket.send(Buffer.alloc(100));
  expect(await client.all()).toEqual([]);
  await http.write('LocationName', 'Gate 3');
  expect(await client.next()).toEqual({ changed: { LocationName: 'Gate 3' } });
});
