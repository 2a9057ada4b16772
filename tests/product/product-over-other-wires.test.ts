import { MemoryStorage } from '@azimuth/device';
import { defineProduct } from '@azimuth/model';
import { type HttpResponse, service } from '@azimuth/test-support/client';
import { object, parse, string } from '@azimuth/test-support/json';
import { changePassword } from '@azimuth/test-support/password-change';
import { TestScanner } from '@azimuth/test-support/test-scanner';
import { describe, expect, it } from 'vitest';
import { madeUpDefinition, madeUpProduct } from './made-up-product.js';

const login = { user: 'Service', password: 'acme service' };

function statusOf({ text }: HttpResponse): unknown {
  return object(object(parse(text)).header).status;
}

async function start() {
  const { product, state } = madeUpProduct();
  const storage = new MemoryStorage();
  const scanner = await TestScanner.start({ product, storage, searchPort: 0 });
  return { scanner, client: scanner.client(), state, product, storage };
}

describe('a product of its own', () => {
  it('names its headers, also of refusals that are not HTTP and of foreign pages', async () => {
    const { client } = await start();
    const refused = await client.get('Nothing');
    expect(refused.headers['acme-detail']).toContain('Nothing');
    expect(refused.headers['azimuth-detail']).toBeUndefined();
    const denied = await client.call('WriteEeprom', undefined, { ...login, password: 'wrong' });
    expect(denied.headers['acme-correlation']).toMatch(/^[0-9a-f]{8}-/);
    const foreign = await client.send({
      method: 'GET',
      path: '/api/DeviceIdent',
      headers: { host: 'evil.example' },
    });
    expect(foreign.headers['acme-detail']).toBeDefined();
  });

  it('names its metrics, and states its version there', async () => {
    const { client } = await start();
    const { text } = await client.send({ method: 'GET', path: '/metrics' });
    expect(text).toContain(
      'acme_scanner_info{serial="12345678",release="2.4.4",variant="full",product="acmeProf",version="5.10.0"} 1',
    );
    expect(text).not.toMatch(/^azimuth_/m);
  });

  it('is found by the device search under its own name', async () => {
    const { scanner } = await start();
    expect(scanner.service.device.identity).toMatchObject({
      name: 'acmeProf',
      deviceType: 'acmeProf3xx',
      orderNumber: '6070123',
    });
  });

  it('is described in /docs', async () => {
    const { client } = await start();
    const { text } = await client.send({ method: 'GET', path: '/docs/interface.json' });
    expect(text).toContain('LaserLimit');
    expect(text).toContain('Highest power of the laser.');
    expect(text).not.toContain('EnableDetectionHistory');
  });

  it('has checksums of its own', async () => {
    const { client } = await start();
    const own = object(await client.value('LFTchecksum'));
    const usual = object(await (await TestScanner.start({})).client().value('LFTchecksum'));
    expect(own.MD5App).not.toBe(usual.MD5App);
    const before = own.MD5Parameters;
    await client.write('LaserLimit', 900, login);
    await client.call('WriteEeprom', undefined, login);
    expect(object(await client.value('LFTchecksum')).MD5Parameters).not.toBe(before);
  });

  it('backs up and restores own parameters, and refuses the backup of another product', async () => {
    const { client, state } = await start();
    await client.write('LaserLimit', 321, login);
    await client.call('CreateParameterBackup', { Passphrase: '' }, login);
    await client.write('LaserLimit', 999, login);
    await client.call('RestoreParameterBackup', { Passphrase: '', Filter: 0 }, login);
    expect(await client.value('LaserLimit')).toBe(321);
    expect(state.written.at(-1)).toBe(321);
  });

  it('runs a newer version over an older one, never an older one over a newer one', async () => {
    const { product, state } = madeUpProduct();
    const storage = new MemoryStorage();
    const older = await TestScanner.start({ product, storage, release: '5.0.1' });
    expect(await older.client().value('FirmwareVersion')).toBe('5.0.1');
    await older.service.close();
    const newer = await TestScanner.start({ product, storage, release: '5.10.0' });
    expect(await newer.client().value('FirmwareVersion')).toBe('5.10.0');
    await newer.service.close();
    await expect(TestScanner.start({ product, storage, release: '5.0.1' })).rejects.toThrow(
      'The folder has release 5.10.0, and 5.0.1 is older.',
    );
    const definition = madeUpDefinition(state);
    const without = defineProduct({ ...definition, releases: { '5.0.0': '2.3.1', '5.0.1': '2.4.4' } });
    await expect(TestScanner.start({ product: without, storage })).rejects.toThrow(
      'The folder has version 5.10.0, and acmeProf has only 5.0.0, 5.0.1.',
    );
  });

  it('lets two products and the built-in one run in one process', async () => {
    const one = await start();
    const state = { laserHours: 1, written: [], power: 0 };
    const other = await TestScanner.start({
      product: defineProduct({ ...madeUpDefinition(state), name: 'other', realm: 'Other' }),
    });
    const usual = await TestScanner.start({});
    expect(await one.client.value('LaserHours')).toBe(7);
    expect(await other.client().value('LaserHours')).toBe(1);
    expect(statusOf(await usual.client().get('LaserHours'))).toBe(5);
    const titleOf = async (scanner: TestScanner) => {
      const response = await scanner.client().send({ method: 'GET', path: '/openapi.json' });
      return object(object(parse(response.text)).info).title;
    };
    expect(await titleOf(usual)).toContain('a 2D laser scanner');
    expect(await titleOf(other)).toContain('of other,');
    expect(await titleOf(one.scanner)).toContain('of acmeProf,');
    expect((await other.client().challenge('Service')).realm).toBe('Other');
    expect((await usual.client().challenge('Service')).realm).toBe('SICK Sensor');
    expect(statusOf(await usual.client().call('checkCredentials', undefined, service))).toBe(0);
  });
});

describe('the first password of a label', () => {
  const labels = [{ serialNumber: '12345678', level: 'Service', password: 'on the label' }] as const;
  const labelled = { user: 'Service', password: 'on the label' };

  async function labelledScanner(storage = new MemoryStorage()) {
    const state = { laserHours: 1, written: [], power: 0 };
    const product = defineProduct({ ...madeUpDefinition(state), labels });
    const scanner = await TestScanner.start({ product, storage });
    return { scanner, client: scanner.client(), storage };
  }

  it('logs in to its scanner, and the password of the product does not', async () => {
    const { client } = await labelledScanner();
    expect(statusOf(await client.call('checkCredentials', undefined, labelled))).toBe(0);
    expect(statusOf(await client.call('checkCredentials', undefined, login))).toBe(4);
  });

  it('stays replaced by a password of the customer, until LoadFactoryDefaults', async () => {
    const { scanner, client, storage } = await labelledScanner();
    await changePassword(client, labelled, 'of the customer');
    await scanner.service.close();
    const again = await labelledScanner(storage);
    const own = { user: 'Service', password: 'of the customer' };
    expect(statusOf(await again.client.call('checkCredentials', undefined, labelled))).toBe(4);
    expect(statusOf(await again.client.call('LoadFactoryDefaults', undefined, own))).toBe(0);
    expect(statusOf(await again.client.call('checkCredentials', undefined, labelled))).toBe(0);
  });
});

describe('the hooks of a product', () => {
  it('are contained: a failing one keeps the last good value and sets DeviceStatus 7', async () => {
    const state = { laserHours: 5, written: [], power: 0 };
    const scanner = await TestScanner.start({ product: defineProduct(madeUpDefinition(state)) });
    const client = scanner.client();
    expect(await client.value('LaserHours')).toBe(5);
    state.laserHours = Number.NaN;
    expect(await client.value('LaserHours')).toBe(5);
    expect(await client.value('LaserHours')).toBe(5);
    expect(await client.value('DeviceStatus')).toBe(7);
    expect(scanner.log.errors.map(({ message }) => message)).toEqual([
      'LaserHours could not be computed; the last value is used',
    ]);
    state.laserHours = 6;
    expect(await client.value('LaserHours')).toBe(6);
    expect(await client.value('DeviceStatus')).not.toBe(7);
  });

  it('push events of own variables', async () => {
    const { scanner, state, client } = await start();
    const changed: unknown[] = [];
    const { endpoints } = scanner.service.device.served;
    const hours = endpoints.get('LaserHours');
    if (hours?.kind !== 'variable') throw new Error('LaserHours is no variable');
    scanner.service.device.follow(hours, () => changed.push(scanner.service.device.read(hours)));
    await client.call('ResetLaser', { Hours: 12 }, login);
    expect(changed).toEqual([12]);
    expect(state.laserHours).toBe(12);
  });

  it('are told the parameters at each boot, and start and stop with the scanner', async () => {
    const calls: string[] = [];
    const state = { laserHours: 1, written: [] as unknown[], power: 0 };
    const product = defineProduct({
      ...madeUpDefinition(state),
      start: ({ serialNumber }) => {
        calls.push(`start ${serialNumber}`);
        return () => calls.push('stop');
      },
    });
    const scanner = await TestScanner.start({ product });
    expect(calls).toEqual(['start 12345678']);
    await scanner.client().call('SoftReset', { ProcessorNbr: 0 }, login);
    await scanner.pass(5000, 100);
    expect(calls).toEqual(['start 12345678', 'stop', 'start 12345678']);
    expect(state.written).toEqual([500, 500]);
    expect(string(await scanner.client().value('DeviceType'))).toBe('acmeProf3xx');
  });
});
