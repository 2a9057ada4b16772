import { cybersecurity, status } from '@azimuth/model';
import {
  type BundleData,
  bundleOf,
  type CertificateOptions,
  chain,
  issue,
  keyPem,
} from '@azimuth/test-support/certificates';
import type { FaultyStorage } from '@azimuth/test-support/faulty-storage';
import { methodOf, TestDevice } from '@azimuth/test-support/test-device';
import { describe, expect, test } from 'vitest';
import { VirtualClock } from '../../src/index.js';

const { httpsStatus, certificateBundleInfo } = cybersecurity.members;
const done = { success: true, errorCode: { error: 'None' } };
const down = { enabled: false, errorCode: { error: 'None' } };
const up = { enabled: true, errorCode: { error: 'None' } };
const none = { uuidBundle: '', certificates: [], errorCode: { error: 'None' } };

/** A device whose HTTPS server follows at once. */
async function open(storage?: FaultyStorage): Promise<TestDevice> {
  const testDevice = await TestDevice.open({}, storage);
  const { https } = testDevice.device.features;
  const follow = () => https.report(https.bundle !== undefined);
  https.onChange(follow);
  follow();
  return testDevice;
}

const set = (testDevice: TestDevice, data: BundleData = bundleOf([issue()])) =>
  testDevice.respond('setCertificateBundle', { ...data });

async function remove(testDevice: TestDevice): Promise<unknown> {
  const { response, afterwards } = await testDevice.call('removeCertificateBundle');
  afterwards?.();
  return response;
}

const statusOf = ({ device }: TestDevice) => device.read(httpsStatus);
const infoOf = ({ device }: TestDevice) => device.read(certificateBundleInfo);

/** Description of a new certificate in certificateBundleInfo, checked against its declaration. */
async function reported(options: CertificateOptions) {
  const testDevice = await open();
  expect(await set(testDevice, bundleOf([issue(options)]))).toEqual(done);
  const [certificate] = certificateBundleInfo.type.fromJson(infoOf(testDevice), '').certificates;
  if (certificate === undefined) throw new Error('nothing is told');
  return certificate;
}

describe('what is reported', () => {
  test('without a bundle: that there is none', async () => {
    const testDevice = await open();
    expect([statusOf(testDevice), infoOf(testDevice)]).toEqual([down, none]);
  });

  test('of a bundle: every certificate, leaf first', async () => {
    const testDevice = await open();
    expect(await set(testDevice, bundleOf(chain(3, { serial: 'fedcba9876543210' })))).toEqual(done);
    expect(statusOf(testDevice)).toEqual(up);
    const { uuidBundle, certificates, errorCode } = infoOf(testDevice);
    expect(uuidBundle).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(errorCode).toEqual({ error: 'None' });
    expect(certificates.map(({ subject }) => subject)).toEqual([
      'O=Scanner tests, CN=scanner.test',
      'O=Scanner tests, CN=Authority 2',
      'O=Scanner tests, CN=Authority 3',
    ]);
    expect(certificates[0]).toEqual({
      names: [{ entry: 'DNS:localhost' }, { entry: 'IP Address:127.0.0.1' }],
      subject: 'O=Scanner tests, CN=scanner.test',
      issuer: 'O=Scanner tests, CN=Authority 2',
      serialNumber: 'FE:DC:BA:98:76:54:32:10',
      fingerprint: expect.stringMatching(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/),
      validNotBefore: '2020-01-01T00:00:00.000Z',
      validNotAfter: '2060-01-01T00:00:00.000Z',
    });
  });

  test('the first 20 names', async () => {
    const names = Array.from({ length: 25 }, (_, index) => `scanner-${index}.test`);
    const { names: entries } = await reported({ names });
    expect(entries.map(({ entry }) => entry)).toEqual(names.slice(0, 20).map((name) => `DNS:${name}`));
  });

  test('no names if there are none', async () => {
    expect((await reported({ names: [] })).names).toEqual([]);
  });

  test('names with commas, quotes and control characters, each as one', async () => {
    const { names } = await reported({ names: ['a, DNS:b', 'say "c"', 'd\ne', 'f\\', 'g'] });
    expect(names.map(({ entry }) => entry)).toEqual([
      'DNS:a, DNS:b',
      'DNS:say "c"',
      'DNS:d\ufffde',
      'DNS:f\\',
      'DNS:g',
    ]);
  });

  test('long texts as far as the specification lets them be', async () => {
    const long = 'x'.repeat(1500);
    const { names, subject, issuer } = await reported({ name: long, names: [long] });
    expect(names).toEqual([{ entry: `DNS:${'x'.repeat(996)}` }]);
    expect([subject.length, issuer.length]).toEqual([1000, 1000]);
  });

  test('a serial number of any length, in pairs of digits', async () => {
    expect((await reported({ serial: '5' })).serialNumber).toBe('05');
    expect((await reported({ serial: '7f'.repeat(50) })).serialNumber).toBe(Array(40).fill('7F').join(':'));
  });

  test('dates of any century in 24 characters', async () => {
    const from = new Date('1950-02-03T04:05:06Z');
    const until = new Date('9999-12-31T23:59:59Z');
    expect(await reported({ from, until })).toMatchObject({
      validNotBefore: '1950-02-03T04:05:06.000Z',
      validNotAfter: '9999-12-31T23:59:59.000Z',
    });
  });
});

describe('a bundle', () => {
  test('is replaced by another, with another UUID', async () => {
    const testDevice = await open();
    await set(testDevice);
    const { uuidBundle } = infoOf(testDevice);
    await set(testDevice, bundleOf([issue({ name: 'second' })]));
    expect(infoOf(testDevice).uuidBundle).not.toBe(uuidBundle);
    expect(infoOf(testDevice).certificates[0]?.subject).toContain('CN=second');
  });

  test('is removed, and its key is not on disk any more; also if there is none', async () => {
    const testDevice = await open();
    await set(testDevice);
    for (let time = 0; time < 2; time++) {
      expect(await remove(testDevice)).toEqual(done);
      expect([statusOf(testDevice), infoOf(testDevice)]).toEqual([down, none]);
    }
    for (const content of testDevice.storage.documents.values()) {
      expect(Buffer.from(content).toString()).not.toContain('PRIVATE KEY');
    }
    expect(infoOf(await open(testDevice.storage.afterPowerCut()))).toEqual(none);
  });

  test('that is removed counts as down at once, though HTTPS is closed only after the response was sent', async () => {
    const testDevice = await open();
    await set(testDevice);
    let followed = 0;
    testDevice.device.features.https.onChange(() => {
      followed++;
    });
    const { afterwards } = await testDevice.call('removeCertificateBundle');
    expect([statusOf(testDevice), followed]).toEqual([down, 0]);
    afterwards?.();
    expect(followed).toBe(1);
  });

  test.each(['LoadFactoryDefaults', 'LoadApplicationDefaults', 'RebootDevice', 'SoftReset'] as const)(
    'survives %s',
    async (name) => {
      const testDevice = await open();
      await set(testDevice);
      const before = infoOf(testDevice);
      const { afterwards } = await testDevice.call(
        name,
        name === 'SoftReset' ? { ProcessorNbr: 0 } : undefined,
      );
      if (afterwards !== undefined) {
        afterwards();
        await testDevice.boot();
      }
      expect(infoOf(testDevice)).toEqual(before);
    },
  );

  test('survives a power cut, with its key', async () => {
    const testDevice = await open();
    await set(testDevice, bundleOf(chain(4)));
    const key = testDevice.device.features.https.bundle?.privateKeyPem();
    const later = await open(testDevice.storage.afterPowerCut());
    expect(infoOf(later)).toEqual(infoOf(testDevice));
    expect(later.device.features.https.bundle?.privateKeyPem()).toBe(key);
  });

  test('that is set while the power goes is there whole, or the one before', async () => {
    const testDevice = await open();
    await set(testDevice);
    testDevice.storage.die('certificates.json');
    void set(testDevice, bundleOf([issue({ name: 'second' })]));
    const writes = () => testDevice.storage.begun.filter((name) => name === 'certificates.json').length;
    await expect.poll(writes).toBe(2);
    const later = await open(testDevice.storage.afterPowerCut());
    expect(infoOf(later)).toEqual(infoOf(testDevice));
  });

  test('that cannot be stored is refused with status 3, and the one before is in force', async () => {
    const testDevice = await open();
    await set(testDevice);
    const before = infoOf(testDevice);
    testDevice.storage.fail('certificates.json');
    await expect(set(testDevice, bundleOf([issue()]))).rejects.toMatchObject({ code: 3 });
    await expect(remove(testDevice)).rejects.toMatchObject({ code: 3 });
    expect([infoOf(testDevice), statusOf(testDevice)]).toEqual([before, up]);
  });

  test('set twice at the same time is the last one, in memory as on disk', async () => {
    const testDevice = await open();
    await Promise.all(['first', 'second'].map((name) => set(testDevice, bundleOf([issue({ name })]))));
    expect(infoOf(testDevice).certificates[0]?.subject).toContain('CN=second');
    expect(infoOf(await open(testDevice.storage.afterPowerCut()))).toEqual(infoOf(testDevice));
  });
});

describe('a bundle on disk that cannot be read', () => {
  async function damaged(content: string): Promise<TestDevice> {
    const testDevice = await open();
    await set(testDevice);
    const storage = testDevice.storage.afterPowerCut();
    storage.documents.set('certificates.json', Buffer.from(content));
    return open(storage);
  }

  const foreign = { ...bundleOf([issue()]), contentPrivateKey: keyPem(issue().keys) };
  const lost = 'The certificate bundle is lost: set it again';

  test.each([
    ['damaged', 'damaged'],
    ['without its key', '{"format":1,"uuid":"1","certificates":""}'],
    [
      'with the key of another',
      JSON.stringify({
        format: 1,
        uuid: '1',
        certificates: foreign.contentCertificateBundle,
        privateKey: foreign.contentPrivateKey,
      }),
    ],
  ])('%s is told until one is set or removed, and kept aside', async (_, content) => {
    for (const mend of [set, remove]) {
      const testDevice = await damaged(content);
      const { device, storage } = testDevice;
      expect(statusOf(testDevice)).toEqual({ enabled: false, errorCode: { error: lost } });
      expect(infoOf(testDevice)).toEqual({ ...none, errorCode: { error: lost } });
      expect(device.read(status.members.DeviceStatus)).toBe(7);
      expect(device.features.saving.lostDocuments).toMatchObject([{ document: 'certificates.json' }]);
      expect(
        Buffer.from(
          storage.documents.get(device.features.saving.lostDocuments[0]?.setAside ?? '') ?? [],
        ).toString(),
      ).toBe(content);
      expect(await mend(testDevice)).toEqual(done);
      expect(device.read(status.members.DeviceStatus)).toBe(3);
      expect(statusOf(testDevice).errorCode).toEqual({ error: 'None' });
    }
  });
});

describe('an end that comes while HTTPS is up', () => {
  const until = new Date(Date.UTC(2026, 0, 18, 12, 0, 0));
  const over = { error: 'Certificate 1 has expired: it was valid until 2026-01-18T12:00:00.000Z' };
  const days = 24 * 3_600_000;

  test('is reported by both, and HTTPS stays up', async () => {
    const testDevice = await open();
    await set(testDevice, bundleOf([issue({ until })]));
    testDevice.clock.advance(3 * days);
    expect(statusOf(testDevice)).toEqual(up);
    testDevice.clock.advance(1);
    expect(statusOf(testDevice)).toEqual({ enabled: true, errorCode: over });
    expect(infoOf(testDevice).errorCode).toEqual(over);
  });

  test('is announced once, when it comes', async () => {
    const testDevice = await open();
    await set(testDevice, bundleOf([issue({ until })]));
    const heard = announcedBy(testDevice);
    testDevice.clock.advance(3 * days);
    expect(heard).toEqual([]);
    testDevice.clock.advance(1000);
    expect(heard).toEqual(['httpsStatus', 'certificateBundleInfo']);
    testDevice.clock.advance(30 * days);
    expect(heard).toHaveLength(2);
  });

  test('is reported at a start after it, too', async () => {
    const testDevice = await open();
    await set(testDevice, bundleOf([issue({ until: new Date(Date.UTC(2026, 0, 15, 12, 0, 1)) })]));
    const { storage } = testDevice;
    const later = await TestDevice.open({}, storage.afterPowerCut(), new VirtualClock(Date.UTC(2026, 1, 1)));
    later.device.features.https.report(true);
    expect(statusOf(later)).toMatchObject({ enabled: true, errorCode: { error: /has expired/ } });
  });
});

function announcedBy({ device }: TestDevice): string[] {
  const heard: string[] = [];
  device.announcements.subscribe((changed) => {
    heard.push(...changed.map(({ name }) => name).filter((name) => /https|certificate/.test(name)));
  });
  return heard;
}

test('every change is announced: set, up, replaced, removed, and why it is down', async () => {
  const testDevice = await open();
  const heard = announcedBy(testDevice);
  const { https } = testDevice.device.features;
  const news = () => [...new Set(heard.splice(0))].sort();
  const both = ['certificateBundleInfo', 'httpsStatus'];
  await set(testDevice);
  expect(news()).toEqual(both);
  await set(testDevice);
  expect(news()).toEqual(both);
  https.report(true);
  expect(news()).toEqual([]);
  https.report(false, 'Port 8443 on 127.0.0.1 is in use');
  expect(news()).toEqual(['httpsStatus']);
  expect(statusOf(testDevice)).toEqual({
    enabled: false,
    errorCode: { error: 'Port 8443 on 127.0.0.1 is in use' },
  });
  https.report(false, 'x'.repeat(200));
  expect(news()).toEqual(['httpsStatus']);
  expect(statusOf(testDevice).errorCode.error).toHaveLength(100);
  https.report(true);
  expect(news()).toEqual(['httpsStatus']);
  await remove(testDevice);
  expect(news()).toEqual(both);
});

test('a refused bundle announces nothing', async () => {
  const testDevice = await open();
  const heard = announcedBy(testDevice);
  await set(testDevice, { contentCertificateBundle: '', contentPrivateKey: '' });
  expect(heard).toEqual([]);
});

test('the response names the port that is in use, and the bundle is kept', async () => {
  const testDevice = await TestDevice.open();
  const { https } = testDevice.device.features;
  https.onChange(() => https.report(false, 'Port 8443 on 127.0.0.1 is in use'));
  expect(await set(testDevice)).toEqual({
    success: true,
    errorCode: { error: 'Port 8443 on 127.0.0.1 is in use' },
  });
  expect(infoOf(testDevice).certificates).toHaveLength(1);
});

test('the key is in no value and no line of the log', async () => {
  const testDevice = await open();
  const data = bundleOf([issue()]);
  await set(testDevice, data);
  await set(testDevice, { ...data, contentPrivateKey: data.contentPrivateKey.slice(0, -30) });
  const secrets = data.contentPrivateKey
    .split('\n')
    .filter((line) => line.length > 20 && !line.includes('---'));
  expect(secrets.length).toBeGreaterThan(1);
  const values = [...testDevice.device.served.endpoints.values()].map((endpoint) =>
    endpoint.kind === 'variable' ? testDevice.device.read(endpoint) : undefined,
  );
  const all = JSON.stringify([values, testDevice.log.lines, testDevice.device.features.https.bundle]);
  expect(all).toContain('A certificate bundle was refused');
  for (const secret of secrets) expect(all).not.toContain(secret);
});

test('a level below Service can neither set nor remove a bundle', async () => {
  const { device } = await open();
  for (const name of ['setCertificateBundle', 'removeCertificateBundle'] as const) {
    const data = name === 'setCertificateBundle' ? bundleOf([issue()]) : undefined;
    for (const level of ['Run', 'Maintenance', 'AuthorizedClient'] as const) {
      expect(() => device.call(methodOf(name), data, { level })).toThrow(/Service is needed/);
    }
  }
});
