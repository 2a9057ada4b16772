import { MemoryStorage, OtherProduct } from '@azimuth/device';
import { defineProduct, device } from '@azimuth/model';
import { type HttpResponse, service } from '@azimuth/test-support/client';
import { object, parse } from '@azimuth/test-support/json';
import { TestScanner } from '@azimuth/test-support/test-scanner';
import { describe, expect, it } from 'vitest';
import { madeUpDefinition, madeUpProduct } from './made-up-product.js';

const { LocationName: locationName } = device.members;

const login = { user: 'Service', password: 'acme service' };

function statusOf({ text }: HttpResponse): unknown {
  return object(object(parse(text)).header).status;
}

async function start(version?: string) {
  const { product, state } = madeUpProduct();
  const storage = new MemoryStorage();
  const scanner = await TestScanner.start({ product, storage, release: version });
  return { scanner, client: scanner.client(), state, product, storage };
}

describe('a product of its own over REST', () => {
  it('has its name, order number, version and MAC prefix', async () => {
    const { client } = await start();
    expect(await client.value('DeviceIdent')).toEqual({ Name: 'acmeProf', Version: '5.10.0' });
    expect(await client.value('FirmwareVersion')).toBe('5.10.0');
    expect(await client.value('DeviceType')).toBe('acmeProf3xx');
    expect(await client.value('OrderNumber')).toBe('6070123');
    expect(await client.value('EtherMACAddress')).toMatchObject({ 0: 0x02, 1: 0xac, 2: 0x3e });
  });

  it('logs in with its realm and its first password, and with no other', async () => {
    const { client } = await start();
    expect((await client.challenge('Service')).realm).toBe('Acme Sensor');
    expect(statusOf(await client.call('checkCredentials', undefined, login))).toBe(0);
    expect(statusOf(await client.call('checkCredentials', undefined, service))).toBe(4);
  });

  it('reads, writes, checks and refuses values of own variables', async () => {
    const { client, state } = await start();
    expect(await client.value('LaserHours')).toBe(7);
    expect(await client.value('LaserLimit')).toBe(500);
    expect(statusOf(await client.write('LaserHours', 8, login))).toBe(8);
    expect(statusOf(await client.write('LaserLimit', 9, login))).toBe(6);
    expect(statusOf(await client.write('LaserLimit', 'x', login))).toBe(2);
    const refused = await client.write('LaserLimit', 666, login);
    expect(statusOf(refused)).toBe(9);
    expect(statusOf(await client.write('LaserLimit', 700, login))).toBe(0);
    expect(await client.value('LaserLimit')).toBe(700);
    expect(state.written).toEqual([500, 700]);
  });

  it('hands written values of a computed variable to the product, which may refuse them', async () => {
    const { client, state } = await start();
    expect(statusOf(await client.write('LaserPower', 0.75, login))).toBe(0);
    expect(state.power).toBe(0.75);
    expect(await client.value('LaserPower')).toBe(0.75);
    expect(statusOf(await client.write('LaserPower', 1.5, login))).toBe(9);
    expect(await client.value('LaserPower')).toBe(0.75);
  });

  it('calls own methods', async () => {
    const { client, state } = await start();
    const response = await client.call('ResetLaser', { Hours: 3 }, login);
    expect(object(parse(response.text)).data).toEqual({ Before: 7 });
    expect(state.laserHours).toBe(3);
    expect(statusOf(await client.call('ResetLaser', { Hours: -1 }, login))).toBe(6);
  });

  it('has a narrower range, its own factory values and its own profiles', async () => {
    const { client, scanner } = await start();
    expect(await client.value('LocationName')).toBe('Acme line');
    expect(statusOf(await client.write('LocationName', 'more than twelve', login))).toBe(7);
    expect(statusOf(await client.write('LocationName', 'twelve', login))).toBe(0);
    expect(scanner.service.device.read(locationName)).toBe('twelve');
    expect(await client.value('PerformanceProfileNumber')).toBe(21);
    expect(statusOf(await client.write('PerformanceProfileNumber', 3, login))).toBe(9);
    expect(await client.value('ScanConfig')).toMatchObject({ udiScanFreq: 6000 });
  });

  it('does not have what is in a removed group', async () => {
    const { client } = await start();
    expect(statusOf(await client.get('EnableDetectionHistory'))).toBe(5);
  });

  it('does not have what came with a newer version', async () => {
    const older = await start('5.0.0');
    expect(statusOf(await older.client.get('LaserModes'))).toBe(5);
    const newer = await start('5.0.1');
    expect(statusOf(await newer.client.get('LaserModes'))).toBe(0);
  });

  it('stores own parameters, and resets them', async () => {
    const { client, scanner } = await start();
    await client.write('LaserLimit', 800, login);
    await client.call('WriteEeprom', undefined, login);
    expect(await client.stored('LaserLimit')).toBe(800);
    await client.call('LoadApplicationDefaults', undefined, login);
    expect(await client.value('LaserLimit')).toBe(500);
    expect(scanner.log.errors).toEqual([]);
  });

  it('returns to its own factory values and first passwords by LoadFactoryDefaults', async () => {
    const { client } = await start();
    await client.write('LocationName', 'elsewhere', login);
    await client.write('LaserLimit', 600, login);
    expect(statusOf(await client.call('LoadFactoryDefaults', undefined, login))).toBe(0);
    expect(await client.value('LocationName')).toBe('Acme line');
    expect(await client.value('PerformanceProfileNumber')).toBe(21);
    expect(await client.value('LaserLimit')).toBe(500);
    expect(statusOf(await client.call('checkCredentials', undefined, login))).toBe(0);
  });

  it('is described by its OpenAPI document', async () => {
    const { client } = await start();
    const response = await client.send({ method: 'GET', path: '/openapi.json' });
    const document = object(parse(response.text));
    expect(document).toMatchObject({
      info: {
        title: 'Management interface of acmeProf, release 5.10.0, variant full',
        'x-edition': { release: '2.4.4', variant: 'full', product: 'acmeProf', version: '5.10.0' },
      },
    });
    const paths = object(document.paths);
    expect(Object.keys(paths)).toContain('/api/LaserLimit');
    expect(Object.keys(paths)).not.toContain('/api/EnableDetectionHistory');
    expect(object(object(document.components).schemas)).toMatchObject({
      LaserLimit: { minimum: 10, maximum: 1000, default: 500, 'x-unit': 'mW' },
      LocationName: { maxLength: 12, default: 'Acme line' },
      DeviceIdent: { default: { Name: 'acmeProf', Version: '5.10.0' } },
    });
  });

  it('refuses the folder of another product', async () => {
    const { scanner, storage, state } = await start();
    await scanner.service.close();
    await expect(TestScanner.start({ storage })).rejects.toThrow(OtherProduct);
    const other = defineProduct({ ...madeUpDefinition(state), name: 'other' });
    await expect(TestScanner.start({ storage, product: other })).rejects.toThrow(
      'The folder belongs to a scanner acmeProf, and this is a other. Use another folder.',
    );
    const again = await TestScanner.start({ storage, product: defineProduct(madeUpDefinition(state)) });
    expect(await again.client().value('LaserHours')).toBe(7);
  });
});
