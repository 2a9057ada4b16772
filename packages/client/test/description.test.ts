import { FakeDevice } from '@azimuth/test-support/fake-device';
import { ownDescription } from '@azimuth/test-support/own-description';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Scanner, storedParameters, unsavedParameters, workingParameters } from '../src/index.js';

const path = '/openapi.json';

let device: FakeDevice;
let scanner: Scanner;

beforeEach(async () => {
  device = await FakeDevice.start();
  scanner = new Scanner({ url: device.url, password: 'servicelevel' });
});
afterEach(() => device.stop());

function describes(...documents: readonly string[]): void {
  device.prepare(path, ...documents.map((raw) => ({ raw })));
}

describe('what a client knows of a scanner', () => {
  test('is the model, and is not asked for while names are known', async () => {
    await scanner.read('LocationName');
    await scanner.write('LocationName', 'Gate');
    expect(device.requests).not.toContain(path);
    expect(scanner.description.known.variable('LaserHours')).toBeUndefined();
  });

  test('has the names of its own description, fetched once', async () => {
    describes(ownDescription());
    const known = await scanner.description.whole();
    expect(known.variable('LaserHours')?.facts.text).toBe('Hours that the laser was on.');
    expect(await scanner.description.ofNames(['LaserHours', 'Unknown'])).toBe(known);
    expect(device.requests.filter((request) => request === path)).toHaveLength(1);
  });

  test.each([
    ['a real scanner, which answers with a page', { raw: '<!doctype html>', http: 200 }],
    ['a scanner without a description', { raw: 'not found', http: 404 }],
    ['a redirect', { raw: '', http: 302, headers: { Location: '/elsewhere' } }],
    ['another service', { raw: '{"openapi":"3.1.0","paths":{"/pets":{}}}' }],
    ['JSON without an end', { raw: '['.repeat(1_000_000) }],
    ['an endless description', { raw: `{"openapi":"${'x'.repeat(9 * 1024 * 1024)}"}` }],
  ])('is the model for %s', async (_, response) => {
    device.prepare(path, response, response);
    const known = await scanner.description.ofNames(['LaserHours']);
    expect(known.variable('LaserHours')).toBeUndefined();
    expect(known.variable('LocationName')?.name).toBe('LocationName');
  });

  test('is the model while the description does not come in time, and is asked for again', async () => {
    const impatient = new Scanner({ url: device.url, timeoutMs: 100 });
    device.prepare(path, { never: true }, { raw: ownDescription() });
    expect((await impatient.description.ofNames(['LaserHours'])).variable('LaserHours')).toBeUndefined();
    expect((await impatient.description.ofNames(['LaserHours'])).variable('LaserHours')).toBeDefined();
  });
});

describe('a name that only the scanner knows', () => {
  test('is called without a login if the description says so', async () => {
    describes(ownDescription());
    device.prepare('ReadPulses', { data: { Pulses: 7 } });
    expect(await new Scanner({ url: device.url }).callAny('ReadPulses')).toEqual({ Pulses: 7 });
    expect(device.requests).toEqual([path, 'ReadPulses']);
  });

  test('is called with a login if the scanner describes nothing', async () => {
    device.prepare(path, { raw: 'not found', http: 404 });
    device.responses.set('CalibrateLaser', {});
    await scanner.callAny('CalibrateLaser');
    expect(device.requests).toEqual([path, 'getChallenge', 'CalibrateLaser']);
  });

  test('is among the working parameters, and what the scanner lacks is not asked for', async () => {
    describes(ownDescription());
    device.values.set('GateName', 'North');
    device.values.set('LaserPower', 1);
    expect(Object.fromEntries(await workingParameters(scanner))).toEqual({
      LocationName: 'not defined',
      GateName: 'North',
      LaserPower: 1,
    });
    expect(device.requests).toEqual([
      path,
      'LocationName',
      'GateName',
      'LaserPower',
      'PerformanceProfileNumber',
    ]);
  });

  test('is among the stored parameters, and among the unsaved ones', async () => {
    describes(ownDescription());
    device.values.set('GateName', 'South');
    const stored = { LocationName: 'not defined', GateName: 'North' };
    device.prepare('/x/stored', { data: { stored } }, { data: { stored } });
    expect(Object.fromEntries((await storedParameters(scanner)) ?? [])).toEqual(stored);
    expect(await unsavedParameters(scanner)).toMatchObject([
      { path: 'GateName', from: 'South', to: 'North' },
    ]);
  });
});

describe('a value that the model does not allow', () => {
  test('is allowed if the scanner describes it', async () => {
    describes(ownDescription());
    device.values.set('PerformanceProfileNumber', 42);
    expect(await scanner.read('PerformanceProfileNumber')).toBe(42);
    expect(await scanner.read('PerformanceProfileNumber')).toBe(42);
    expect(device.requests.filter((request) => request === path)).toHaveLength(1);
  });

  test('is refused if the scanner describes another one', async () => {
    describes(ownDescription());
    device.values.set('PerformanceProfileNumber', 99);
    await expect(scanner.read('PerformanceProfileNumber')).rejects.toThrow(
      'PerformanceProfileNumber: expected one of 42 FAST, got 99',
    );
  });

  test('is refused if the scanner describes nothing', async () => {
    device.prepare(path, { raw: 'not found', http: 404 });
    device.values.set('PerformanceProfileNumber', 42);
    await expect(scanner.read('PerformanceProfileNumber')).rejects.toThrow(
      'a value that the interface does not allow',
    );
  });
});
