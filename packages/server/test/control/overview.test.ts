import { expect, test } from 'vitest';
import { done, look, post } from './control-client.js';
import { RoomBench } from './room.js';

const overview = async (scanner: RoomBench) => (await look(scanner.bench, '/')).json;

test('the overview tells how the scanner and its world are', async () => {
  const scanner = await RoomBench.start();
  expect(await overview(scanner)).toMatchObject({
    up: true,
    // Cold: it has just been switched on.
    temperature: 22,
    temperatureIsSet: false,
    network: { source: 'static', address: [192, 168, 0, 1] },
    measuring: { state: 'measuring', scans: 0 },
    scene: { name: 'Room', actors: ['cart'] },
    encoder: { speed: 0 },
    contamination: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    ports: expect.arrayContaining([
      { port: 1, name: expect.any(String), type: 'INPUT', driven: false, active: false },
    ]),
    http: { host: '127.0.0.1', port: scanner.bench.httpPort },
    https: null,
    legacyA: { host: '127.0.0.1', port: scanner.bench.portA },
    legacyB: { host: '127.0.0.1', port: scanner.bench.portB },
  });
});

test('the overview follows what is commanded', async () => {
  const scanner = await RoomBench.start();
  await post(scanner.bench, '/encoder', { speed: -250 });
  await post(scanner.bench, '/temperature', { celsius: 60 });
  await scanner.ahead();
  const { measuring } = scanner.bench.service.device;
  measuring.request('standby');
  expect(await overview(scanner)).toMatchObject({
    temperature: 60,
    temperatureIsSet: true,
    measuring: { state: 'standby', scans: measuring.scans },
    encoder: { speed: -250 },
  });
  expect(measuring.scans).toBeGreaterThan(0);
});

test.each([{}, { celsius: null }])('with %j the temperature goes its own way again', async (body) => {
  const scanner = await RoomBench.start();
  await post(scanner.bench, '/temperature', { celsius: 60 });
  expect(await post(scanner.bench, '/temperature', body)).toEqual(done);
  expect(await overview(scanner)).toMatchObject({ temperature: 60, temperatureIsSet: false });
  await post(scanner.bench, '/clock/advance', { ms: 24 * 3_600_000 });
  expect(await overview(scanner)).toMatchObject({ temperature: 32.5, temperatureIsSet: false });
});

test.each([{ celsius: 'auto' }, { celsius: 201 }, { celsius: false }])(
  '%j is no temperature, and it stays as it was',
  async (body) => {
    const scanner = await RoomBench.start();
    await post(scanner.bench, '/temperature', { celsius: 60 });
    expect(await post(scanner.bench, '/temperature', body)).toEqual({
      status: 400,
      json: { error: '"celsius" must be a number from -100 to 200' },
    });
    expect(await overview(scanner)).toMatchObject({ temperature: 60, temperatureIsSet: true });
  },
);

test('commands and views are told apart', async () => {
  const { bench } = await RoomBench.start();
  const error = expect.stringMatching(/^unknown command\. POST: .*\/actors\/move.*; GET: \/, \/scene$/);
  expect(await look(bench, '/actors/move')).toEqual({ status: 404, json: { error } });
  expect(await post(bench, '/')).toEqual({ status: 404, json: { error } });
});
