import { MemoryStorage } from '@azimuth/device';
import {
  type Declaration,
  defineProduct,
  FileEndpoint,
  groups,
  Method,
  type ProductDefinition,
} from '@azimuth/model';
import type { HttpResponse } from '@azimuth/test-support/client';
import { object, parse } from '@azimuth/test-support/json';
import { TestScanner } from '@azimuth/test-support/test-scanner';
import { describe, expect, it } from 'vitest';

const needed = ['General', 'Status', 'Device', 'Basic settings', 'Ethernet'];
const optional = groups.map(({ name }) => name).filter((name) => !needed.includes(name));

function without(...removed: readonly string[]): ProductDefinition {
  return {
    name: 'small',
    deviceType: 'small3xx',
    orderNumber: '1',
    realm: 'Small Sensor',
    releases: { '1.0.0': '2.4.4' },
    groups: { removed },
  };
}

function statusOf({ text }: HttpResponse): unknown {
  return object(object(parse(text)).header).status;
}

/** Uses everything that a scanner does by itself and by requests, over each wire. */
async function useAll(scanner: TestScanner): Promise<void> {
  const client = scanner.client();
  const { device } = scanner.service;
  await client.write('AutoStartMeasure', true);
  await client.write('PerformanceProfileNumber', 3);
  await scanner.pass(500);
  await client.call('WriteEeprom');
  await client.call('LoadApplicationDefaults');
  await client.call('DoDiagnosisDump', {});
  await client.call('CreateParameterBackup', { Passphrase: '' });
  await client.call('EthernetUpdate');
  await client.call('FindMe', { uiDuration: 1 });
  for (const path of ['/metrics', '/openapi.json', '/docs', '/x/stored', '/healthz'])
    expect((await client.send({ method: 'GET', path })).httpStatus, path).toBe(200);
  for (const [name, endpoint] of device.served.endpoints) {
    if (endpoint.kind === 'variable') expect(statusOf(await client.get(name)), name).toBe(0);
  }
  await client.call('LoadFactoryDefaults');
  await client.call('SoftReset', { ProcessorNbr: 0 });
  await scanner.pass(5000, 100);
  expect(statusOf(await scanner.client().get('DeviceIdent'))).toBe(0);
}

describe.each([...optional.map((name) => [name]), optional])('a product without %s', (...removed) => {
  it('answers its names with status 5, and does everything else without an error', async () => {
    const product = defineProduct(without(...removed));
    const scanner = await TestScanner.start({ product, storage: new MemoryStorage() });
    const client = scanner.client();
    const missing = groups
      .filter(({ name }) => removed.includes(name))
      .flatMap(({ members }) => Object.values<Declaration>(members));
    for (const one of missing) {
      if (one instanceof FileEndpoint) continue;
      const response = one instanceof Method ? await client.call(one.name, {}) : await client.get(one.name);
      expect(statusOf(response), one.name).toBe(5);
    }
    await useAll(scanner);
    expect(scanner.log.errors).toEqual([]);
    expect(scanner.service.device.features.deviceStatus.conditions.deviceStatus).toBeLessThan(7);
  });
});

describe('a product without the legacy protocols', () => {
  it('opens no legacy interface, and does not answer searches', async () => {
    const product = defineProduct(without('Legacy protocols'));
    const { service } = await TestScanner.start({ product, searchPort: 0 });
    expect(service.ports).toMatchObject({ legacyA: null, legacyB: null });
    expect(service.isSearchOpen).toBe(false);
    const whole = await TestScanner.start({ product: defineProduct(without()), searchPort: 0 });
    expect(whole.service.ports.legacyA).not.toBeNull();
    expect(whole.service.isSearchOpen).toBe(true);
  });
});

describe('a product without the firmware update', () => {
  it('takes no firmware file', async () => {
    const client = (await TestScanner.start({ product: defineProduct(without('Firmware update')) })).client();
    const response = await client.send({ method: 'PUT', path: '/api/update', body: 'x' });
    expect(statusOf(response)).toBe(5);
  });
});

describe('a product', () => {
  it.each(needed)('cannot be without the group %s', (name) => {
    expect(() => defineProduct(without(name))).toThrow(
      `groups.removed[0]: no scanner works without the group ${name}`,
    );
  });
});
