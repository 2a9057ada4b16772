import { defineProduct, newestRelease } from '@azimuth/model';
import { FakeDevice } from '@azimuth/test-support/fake-device';
import { ownDescription } from '@azimuth/test-support/own-description';
import { startScanner } from '@azimuth/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  identify,
  ProfileMistakes,
  productSubject,
  profileIn,
  profileSubject,
  releaseOfProduct,
  runCheck,
  versionOfProduct,
  writtenProfile,
} from '../src/index.js';

const clock = { now: () => Date.now(), wait: async () => undefined };

describe('a profile', () => {
  it('of a scanner without own names states only its edition, and is read again', async () => {
    await using scanner = await startScanner({ release: '2.2.0', variant: 'basic' });
    const target = { url: scanner.url, passwords: {}, clock };
    const written = await writtenProfile(target, await identify(target), 'azimuth');
    expect(written).toMatchObject({ release: '2.2.0', variant: 'basic', absent: [] });
    expect(written.own).toMatchObject({ variables: {}, methods: {}, ranges: {} });
    const profile = profileIn(JSON.parse(JSON.stringify(written)));
    const results = await runCheck(target, profileSubject(profile), {
      stages: new Set(['read']),
      only: (id) => id.startsWith('status.'),
    });
    expect(results.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
  });

  it('has own names with their types, and narrower ranges, as a scanner describes them', async () => {
    const device = await describedDevice();
    const target = { url: device.url, passwords: {}, clock };
    const written = await writtenProfile(target, await identify(target), 'azimuth');
    expect(written.own.variables?.GateName).toEqual({
      ...{ group: 'Laser', text: 'Name of the gate.', write: 'AuthorizedClient' },
      type: { kind: 'string', minLength: 0, maxLength: 16, initial: '' },
    });
    expect(written.own.methods?.CalibrateLaser).toMatchObject({
      ...{ level: 'Service', loses: 'the old calibration' },
      request: { Depth: { kind: 'integer', format: 'uint8', initial: 3 } },
    });
    expect(written.absent).toContain('SerialNumber');
    const subject = profileSubject(profileIn(JSON.parse(JSON.stringify(written))));
    expect(subject.known.variable('GateName')?.type.shape).toMatchObject({ maxLength: 16 });
    expect(['GateName', 'CalibrateLaser', 'LocationName', 'SerialNumber'].map(subject.has)).toEqual([
      ...[true, true, true, false],
    ]);
  });

  it('with a mistake in an own type tells its place', () => {
    const own = { variables: { Own: { group: 'Laser', text: 'x', type: { kind: 'strin', maxLength: 3 } } } };
    const profile = profileIn({ azimuthProfile: 1, release: newestRelease, variant: 'full', own });
    expect(() => profileSubject(profile)).toThrow(ProfileMistakes);
    expect(() => profileSubject(profile)).toThrow(/own: variables\.Own\.type\.kind/);
  });
});

describe('a product', () => {
  const product = defineProduct({
    ...{ name: 'gate', deviceType: 'gate', orderNumber: '1', realm: 'Gate' },
    releases: { '5.0.0': '2.1.0', '5.0.1': '2.4.4' },
    groups: { removed: ['Filter'] },
    ranges: { LocationName: { maxLength: 12 } },
  });

  it('is judged by its own interface, and the release that its version is based on', () => {
    expect(['5.0.0', '5.0.1', '9.9.9'].map((version) => releaseOfProduct(product, version))).toEqual([
      ...['2.1.0', '2.4.4', '2.4.4'],
    ]);
    const version = versionOfProduct(product, '5.0.0');
    const subject = productSubject(product, { version, release: '2.1.0', variant: 'full' });
    expect([subject.has('LFPparticle'), subject.has('LocationName')]).toEqual([false, true]);
    expect(subject.known.variable('LocationName')?.type.shape).toMatchObject({ maxLength: 12 });
    // Cases about names that a scanner does not have need to know them.
    expect(subject.known.variable('LFPparticle')).toBeDefined();
  });
});

/** A device with names of its own, which it describes. */
async function describedDevice(): Promise<FakeDevice> {
  const device = await FakeDevice.start();
  onTestFinished(() => device.stop());
  device.values.set('DeviceIdent', { Name: 'GateScan', Version: '5.0.1' });
  device.prepare('/openapi.json', { raw: ownDescription() });
  return device;
}
