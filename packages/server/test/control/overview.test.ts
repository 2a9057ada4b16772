import { bundleOf, issue } from '@azimuth/test-support/certificates';
import { Client } from '@azimuth/test-support/client';
import { expect, test } from 'vitest';
import { done, look, post } from './control-client.js';
import { SceneScanner } from './room.js';

const overview = async (scanner: SceneScanner) => (await look(scanner.testScanner, '/')).json;

test('the overview contains the state of the scanner and of its surroundings', async () => {
  const scanner = await SceneScanner.start();
  expect(await overview(scanner)).toMatchObject({
    up: true,
    clock: { uptime: expect.any(Number), date: { uiYear: expect.any(Number) } },
    // The scanner is cold: it has just been switched on.
    temperature: 22,
    temperatureIsSet: false,
    network: { source: 'static', address: [192, 168, 0, 1] },
    measuring: { state: 'measuring', scans: 0 },
    scene: { name: 'Room', actors: ['cart'] },
    encoder: { speed: 0 },
    contamination: [0, 0, 0, 0, 0, 0, 0],
    ports: expect.arrayContaining([
      { port: 2, name: 'InOut2', type: 'OUTPUT', driven: false, active: true },
      { port: 3, name: 'InOut3', type: 'INPUT', driven: false, active: false },
    ]),
    http: { host: '127.0.0.1', port: scanner.testScanner.httpPort },
    https: null,
    legacyA: { host: '127.0.0.1', port: scanner.testScanner.portA },
    legacyB: { host: '127.0.0.1', port: scanner.testScanner.portB },
  });
});

test('the overview tells the addresses of listeners and nothing else of them, not even the key of HTTPS', async () => {
  const scanner = await SceneScanner.start();
  const { httpPort, httpsPort, portA, portB } = scanner.testScanner;
  await new Client(httpPort).call('setCertificateBundle', bundleOf([issue()]));
  const { http, https, legacyA, legacyB } = await overview(scanner);
  const at = (port: number) => ({ host: '127.0.0.1', port });
  expect([http, https, legacyA, legacyB]).toEqual([httpPort, httpsPort, portA, portB].map(at));
});

test('the overview shows the effects of commands', async () => {
  const scanner = await SceneScanner.start();
  await post(scanner.testScanner, '/encoder', { speed: -250 });
  await post(scanner.testScanner, '/temperature', { celsius: 60 });
  await scanner.ahead();
  const { measuring } = scanner.testScanner.service.device.features;
  measuring.request('standby');
  expect(await overview(scanner)).toMatchObject({
    temperature: 60,
    temperatureIsSet: true,
    measuring: { state: 'standby', scans: measuring.scans },
    encoder: { speed: -250 },
  });
  expect(measuring.scans).toBeGreaterThan(0);
});

test.each([{}, { celsius: null }])('with %j the temperature is simulated again', async (body) => {
  const scanner = await SceneScanner.start();
  await post(scanner.testScanner, '/temperature', { celsius: 60 });
  expect(await post(scanner.testScanner, '/temperature', body)).toEqual(done);
  expect(await overview(scanner)).toMatchObject({ temperature: 60, temperatureIsSet: false });
  await post(scanner.testScanner, '/clock/advance', { ms: 24 * 3_600_000 });
  expect(await overview(scanner)).toMatchObject({ temperature: 32.5, temperatureIsSet: false });
});

test.each([{ celsius: 'auto' }, { celsius: 201 }, { celsius: false }])(
  '%j is not a valid temperature and changes nothing',
  async (body) => {
    const scanner = await SceneScanner.start();
    await post(scanner.testScanner, '/temperature', { celsius: 60 });
    expect(await post(scanner.testScanner, '/temperature', body)).toEqual({
      status: 400,
      json: { error: '"celsius" must be a number from -100 to 200' },
    });
    expect(await overview(scanner)).toMatchObject({ temperature: 60, temperatureIsSet: true });
  },
);

test('a command needs POST and a query needs GET', async () => {
  const { testScanner } = await SceneScanner.start();
  const error = expect.stringMatching(
    /^unknown command\. POST: .*\/actors\/move.*; GET: \/, \/scene, \/scene\/places, \/scenes, \/odometry, \/truth, \/x\/truth, \/faults, \/openapi\.json$/,
  );
  expect(await look(testScanner, '/actors/move')).toEqual({ status: 404, json: { error } });
  expect(await post(testScanner, '/')).toEqual({ status: 404, json: { error } });
});

test('the OpenAPI of the control port describes the parameters of the truth', async () => {
  const { testScanner } = await SceneScanner.start();
  const { json } = await look(testScanner, '/openapi.json');
  const parameter = (name: string, type: string) =>
    expect.objectContaining({
      name,
      in: 'query',
      required: false,
      schema: expect.objectContaining({ type }),
    });
  const parameters = [
    parameter('scan', 'integer'),
    parameter('time', 'integer'),
    parameter('output', 'boolean'),
  ];
  for (const path of ['/truth', '/x/truth'])
    expect(json).toHaveProperty(['paths', path, 'get', 'parameters'], parameters);
});
