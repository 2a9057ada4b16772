import { extensions, fieldEvaluation } from '@azimuth/model';
import { expect, test, vi } from 'vitest';
import { expectDone } from '../../../../tests/support/envelope.js';
import { object } from '../../../../tests/support/json.js';
import { Bench } from '../../../../tests/support/service-test-bench.js';
import { EventClient } from './client.js';

async function watching(query = '') {
  const bench = await Bench.start();
  return { bench, http: bench.client(), client: await EventClient.open(bench.httpPort, `/x/events${query}`) };
}

test('a write is told with its value, one frame for each announcement', async () => {
  const { http, client } = await watching();
  await http.write('LocationName', 'Gate 3');
  await http.write('LocationName', 'Gate 4');
  expect(await client.all()).toEqual([
    { changed: { LocationName: 'Gate 3' } },
    { changed: { LocationName: 'Gate 4' } },
  ]);
});

test('what changes together is told together', async () => {
  const { http, client } = await watching();
  await http.write('LocationName', 'Gate 3');
  await client.all();
  expectDone(await http.call('LoadFactoryDefaults'));
  const told = (await client.all()).map(({ changed }) => Object.keys(object(changed)));
  expect(told).toContainEqual(['LastParaDate', 'LastParaTime']);
});

test('extensions are told under their path', async () => {
  const { bench, client } = await watching();
  const { fields } = extensions.members;
  const value = { evaluations: [], groups: [{ Id: 1, Name: 'a' }] };
  vi.spyOn(bench.service.device, 'read').mockReturnValue(value);
  bench.service.device.announcements.changed([fields]);
  expect(await client.all()).toContainEqual({ changed: { 'x/fields': value } });
});

test('names choose, and follow what is announced only then', async () => {
  const { bench, http, client } = await watching('?names=InertialMeasurementUnit,LocationName');
  const all = await EventClient.open(bench.httpPort, '/x/events');
  bench.clock.advance(20);
  await http.write('Passphrase', 'x');
  await http.write('LocationName', 'Gate 3');
  const told = (await client.all()).map(({ changed }) => Object.keys(object(changed)));
  expect(told).toEqual([['InertialMeasurementUnit'], ['InertialMeasurementUnit'], ['LocationName']]);
  // Without being named it is told to nobody, though somebody follows it.
  expect(await all.all()).toEqual([{ changed: { LocationName: 'Gate 3' } }]);
});

test('what only goes on is told to those who name it, once, and a change to everybody, whoever else watches', async () => {
  const { bench, client: all } = await watching();
  const { FieldEvaluationResult } = fieldEvaluation.members;
  const naming = await EventClient.open(bench.httpPort, '/x/events?names=FieldEvaluationResult');
  const { announcements } = bench.service.device;
  announcements.goesOn(FieldEvaluationResult);
  expect(await naming.all()).toEqual([{ changed: { FieldEvaluationResult: expect.anything() } }]);
  expect(await all.all()).toEqual([]);
  announcements.changed([FieldEvaluationResult]);
  for (const client of [naming, all]) expect(await client.all()).toHaveLength(1);
});

test('an unknown name is refused before anything is opened', async () => {
  const bench = await Bench.start();
  for (const names of ['X', 'LocationName,checkCredentials', 'x/X']) {
    expect(await EventClient.refused(bench.httpPort, `/x/events?names=${names}`)).toBe(400);
  }
  await EventClient.open(bench.httpPort, '/x/events?names=');
});

test('what a client says is read and dropped', async () => {
  const { http, client } = await watching();
  client.say('{"type":"register","event":"DeviceStatus","clientId":1}');
  client.socket.send(Buffer.alloc(100));
  expect(await client.all()).toEqual([]);
  await http.write('LocationName', 'Gate 3');
  expect(await client.next()).toEqual({ changed: { LocationName: 'Gate 3' } });
});
