import { FakeDevice } from '@azimuth/test-support/fake-device';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Scanner } from '../src/index.js';

let device: FakeDevice;
let scanner: Scanner;

beforeEach(async () => {
  device = await FakeDevice.start();
  scanner = new Scanner({ url: device.url, password: 'servicelevel' });
});
afterEach(() => device.stop());

const bundle = { certificates: 'PEM of certificates', privateKey: 'PEM of a key' };

test('certificates are read with the state of HTTPS', async () => {
  const none = { error: 'None' };
  device.values.set('httpsStatus', { enabled: false, errorCode: none });
  device.values.set('certificateBundleInfo', { uuidBundle: '', certificates: [], errorCode: none });
  expect(await scanner.certificates()).toEqual({
    https: { enabled: false, errorCode: none },
    bundle: { uuidBundle: '', certificates: [], errorCode: none },
  });
});

test('certificates are set with their key, and removed', async () => {
  device.responses.set('setCertificateBundle', { success: true, errorCode: { error: 'None' } });
  await scanner.setCertificates(bundle);
  expect(device.exchanges[1]?.body.data).toEqual({
    contentCertificateBundle: 'PEM of certificates',
    contentPrivateKey: 'PEM of a key',
  });
  device.responses.set('removeCertificateBundle', { success: true });
  await scanner.removeCertificates();
  expect(device.requests.at(-1)).toBe('removeCertificateBundle');
});

test('a refusal contains the reason of the scanner, but not the key', async () => {
  device.responses.set('setCertificateBundle', { success: false, errorCode: { error: 'KeyMismatch' } });
  await expect(scanner.setCertificates(bundle)).rejects.toThrow(
    'setCertificateBundle: refused (KeyMismatch)',
  );
  device.responses.set('removeCertificateBundle', { success: false });
  await expect(scanner.removeCertificates()).rejects.toThrow(
    'removeCertificateBundle: refused (success false)',
  );
});
