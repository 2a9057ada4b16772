// Loaded before the first installation, whose steps are told apart here.
import '../../src/firmware-update/firmware-file.js';
import { extensions, firmwareUpdate, general, legacyProtocols, type Release, status } from '@azimuth/model';
import { FaultyStorage } from '@azimuth/test-support/faulty-storage';
import { atService, bootMilliseconds, TestDevice } from '@azimuth/test-support/test-device';
import { latch, promisesSettled } from '@azimuth/test-support/waiting';
import { beforeEach, describe, expect, test } from 'vitest';
import { FirmwareBusy, TransferStopped } from '../../src/network-interface.js';
import { endsAndSample, withBitFlipped } from '../samples.js';
import { built, foreign, pieces, signed, trusted } from './files.js';

const { UpdateState } = firmwareUpdate.members;
const { DeviceStatus } = status.members;
const writing = 1000;
const finished = 2000;

function open(release: Release, storage = new FaultyStorage(), firmwareKey = trusted.publicKey) {
  return TestDevice.open({ release, firmwareKey }, storage);
}

function write(testDevice: TestDevice, name: string, value: unknown): void {
  const endpoint = testDevice.device.served.endpoints.get(name);
  if (endpoint?.kind !== 'variable') throw new TypeError(`no variable ${name}`);
  testDevice.device.write(endpoint, value, atService);
}

async function transfer(testDevice: TestDevice, file: Uint8Array): Promise<void> {
  await testDevice.device.features.firmwareUpdate.receive(pieces(file, 4096), testDevice.log);
}

/** Waits for all promises that do not depend on time. */
async function done(): Promise<void> {
  for (let round = 0; round < 20; round++) await promisesSettled();
}

function states(testDevice: TestDevice): readonly number[] {
  return [testDevice.device.read(UpdateState), testDevice.device.read(DeviceStatus)];
}

async function run(testDevice: TestDevice): Promise<void> {
  expect(await testDevice.respond('RunFirmwareUpdate')).toEqual({});
  await done();
}

async function expectRefused(testDevice: TestDevice, why: string): Promise<void> {
  await run(testDevice);
  expect(states(testDevice)).toEqual([3, 3]);
  expect(testDevice.log.lines.at(-1)).toMatchObject({
    severity: 'warn',
    message: 'Firmware was not installed',
    facts: { reason: expect.stringContaining(why) },
  });
  expect(testDevice.device.read(extensions.members.firmware).Fault).toContain(why);
  testDevice.clock.advance(60_000);
  await done();
  expect(states(testDevice)).toEqual([3, 3]);
}

async function install(testDevice: TestDevice): Promise<void> {
  await run(testDevice);
  testDevice.clock.advance(writing);
  await done();
}

describe('an installation', () => {
  let testDevice: TestDevice;

  beforeEach(async () => {
    testDevice = await open('2.3.1');
    await transfer(testDevice, await signed());
  });

  test('is started at the response, finished when it is on disk, and for two seconds; then the scanner is new', async () => {
    expect(states(testDevice)).toEqual([0, 3]);
    expect(await testDevice.respond('RunFirmwareUpdate')).toEqual({});
    expect(states(testDevice)).toEqual([1, 2]);
    await done();
    testDevice.clock.advance(writing - 1);
    await done();
    expect(states(testDevice)).toEqual([1, 2]);
    testDevice.clock.advance(1);
    await done();
    expect(states(testDevice)).toEqual([2, 2]);
    testDevice.clock.advance(finished - 1);
    expect([states(testDevice), testDevice.device.lifecycle.phase]).toEqual([[2, 2], 'up']);
    expect(testDevice.device.served.edition.release).toBe('2.3.1');
    testDevice.clock.advance(1);
    expect(testDevice.device.lifecycle.phase).toBe('down');
    await testDevice.boot();
    expect(states(testDevice)).toEqual([0, 3]);
    expect(testDevice.device.served.edition.release).toBe('2.4.4');
    expect(testDevice.device.served.endpoints.has('laserType')).toBe(true);
  });

  test('announces every state', async () => {
    const reported: number[][] = [];
    testDevice.device.announcements.subscribe((changed) => {
      const about = changed.some((variable) => variable === UpdateState || variable === DeviceStatus);
      if (about) reported.push([...states(testDevice)]);
    });
    await install(testDevice);
    testDevice.clock.advance(finished);
    await testDevice.boot();
    const order = reported.map(String).filter((state, index, all) => state !== all[index - 1]);
    expect(order).toEqual(expect.arrayContaining(['1,2', '2,2', '0,3']));
    expect(order.indexOf('1,2')).toBeLessThan(order.indexOf('2,2'));
  });

  test('keeps what was stored, and the release that the scanner was delivered with', async () => {
    write(testDevice, 'LocationName', 'Gate 3');
    await testDevice.respond('WriteEeprom');
    await testDevice.respond('EnableUserLevel', { userLevel: 2, isEnabled: true });
    write(testDevice, 'LocationName', 'never stored');
    const { MD5Parameters, MD5App } = testDevice.device.read(general.members.LFTchecksum);
    await install(testDevice);
    testDevice.clock.advance(finished);
    await testDevice.boot();
    expect(testDevice.device.parameters.layer('working')).toMatchObject({ LocationName: 'Gate 3' });
    expect(testDevice.context.state.content.userLevels.Maintenance).toBe(true);
    expect(testDevice.context.firmware.createdWith).toBe('2.3.1');
    expect(testDevice.device.read(general.members.LFTchecksum).MD5Parameters).toBe(MD5Parameters);
    expect(testDevice.device.read(general.members.LFTchecksum).MD5App).not.toBe(MD5App);
  });

  test('uses the file up: a second one has none', async () => {
    await install(testDevice);
    testDevice.clock.advance(finished);
    await testDevice.boot();
    await expectRefused(testDevice, 'no file was transferred');
  });

  test('continues if it is requested again meanwhile', async () => {
    await run(testDevice);
    testDevice.clock.advance(writing - 1);
    await run(testDevice);
    testDevice.clock.advance(1);
    await done();
    expect(states(testDevice)).toEqual([2, 2]);
    await run(testDevice);
    testDevice.clock.advance(finished);
    expect(testDevice.device.lifecycle.phase).toBe('down');
  });

  test('accepts no other file meanwhile', async () => {
    await run(testDevice);
    await expect(transfer(testDevice, await built())).rejects.toThrow(FirmwareBusy);
  });

  test.each(['SoftReset', 'RebootDevice'] as const)(
    'is called off by %s before it is on disk',
    async (method) => {
      await run(testDevice);
      const { afterwards } = await testDevice.call(method, method === 'SoftReset' ? { ProcessorNbr: 0 } : {});
      afterwards?.();
      testDevice.clock.advance(bootMilliseconds);
      await done();
      testDevice.clock.advance(60_000);
      await done();
      expect([states(testDevice), testDevice.device.served.edition.release]).toEqual([[0, 3], '2.3.1']);
      await install(testDevice);
      expect(states(testDevice)).toEqual([2, 2]);
    },
  );

  test('that is on disk survives a power cut before its reboot', async () => {
    await install(testDevice);
    testDevice.device.lifecycle.powerCycle();
    await testDevice.boot();
    expect([states(testDevice), testDevice.device.served.edition.release]).toEqual([[0, 3], '2.4.4']);
    testDevice.clock.advance(finished);
    expect(testDevice.device.lifecycle.phase).toBe('up');
  });

  test('is waited for by a boot where its last step is on the way to a slow disk', async () => {
    const slow = testDevice.storage.delay('firmware.json');
    await install(testDevice);
    expect(states(testDevice)).toEqual([1, 2]);
    testDevice.device.lifecycle.powerCycle();
    testDevice.clock.advance(bootMilliseconds);
    await done();
    expect(testDevice.device.lifecycle.phase).toBe('starting');
    slow.open();
    await done();
    expect([testDevice.device.lifecycle.phase, testDevice.device.served.edition.release]).toEqual([
      'up',
      '2.4.4',
    ]);
    expect(states(testDevice)).toEqual([0, 3]);
  });

  test('that finds no room on the disk is an error, and the old release stays', async () => {
    testDevice.storage.fail('firmware.json');
    await install(testDevice);
    expect(states(testDevice)).toEqual([3, 3]);
    testDevice.storage.recover();
    await testDevice.reboot();
    expect([states(testDevice), testDevice.device.served.edition.release]).toEqual([[0, 3], '2.3.1']);
    expect((await testDevice.afterPowerCut()).device.served.edition.release).toBe('2.3.1');
  });

  test('of the release that runs is made like any other', async () => {
    await transfer(testDevice, await signed({ release: '2.3.1' }));
    await install(testDevice);
    testDevice.clock.advance(finished);
    await testDevice.boot();
    expect([states(testDevice), testDevice.device.served.edition.release]).toEqual([[0, 3], '2.3.1']);
  });
});

describe('a file is not installed', () => {
  test('if there is none', async () => {
    await expectRefused(await open('2.3.1'), 'no file was transferred');
  });

  test.each([
    ['no firmware', async () => Buffer.from('no firmware'), 'not a firmware file'],
    ['empty', async () => Buffer.alloc(0), 'cut off'],
    ['truncated', async () => (await signed()).subarray(0, -65), 'cut off'],
    ['unsigned', () => built(), 'not signed'],
    ['signed by another key', () => signed({}, foreign.privateKey), 'not that of the trusted key'],
    ['for another device', () => signed({ deviceType: 'multiScan1xx' }), 'for the device type multiScan1xx'],
    ['older', () => signed({ release: '2.2.0' }), 'older than the running release 2.3.1'],
    ['of an unknown release', () => signed({ release: '9.9.9' }), '9.9.9 is unknown'],
  ])('that is %s', async (_, file, why) => {
    const testDevice = await open('2.3.1');
    await transfer(testDevice, await file());
    await expectRefused(testDevice, why);
    expect((await testDevice.afterPowerCut()).device.served.edition.release).toBe('2.3.1');
  });

  test('that has a bit flipped', async () => {
    const testDevice = await open('2.3.1');
    const file = await signed();
    for (const bit of endsAndSample(file.length * 8, 64, 101)) {
      testDevice.storage.documents.set('firmware.spk', withBitFlipped(file, bit));
      await run(testDevice);
      expect(states(testDevice), `bit ${bit}`).toEqual([3, 3]);
    }
    expect(testDevice.device.served.edition.release).toBe('2.3.1');
  });

  test('by a scanner that trusts no key', async () => {
    const testDevice = await TestDevice.open({ release: '2.2.0' });
    await transfer(testDevice, await signed());
    await expectRefused(testDevice, 'no key is trusted here');
  });

  test('that is signed, below 2.2.0', async () => {
    const testDevice = await open('2.1.0');
    await transfer(testDevice, await signed());
    await expectRefused(testDevice, 'release 2.1.0 does not support');
  });

  test('after which a good one is', async () => {
    const testDevice = await open('2.3.1');
    await run(testDevice);
    await transfer(testDevice, await signed());
    await install(testDevice);
    expect(states(testDevice)).toEqual([2, 2]);
  });
});

describe('below 2.2.0', () => {
  test('an unsigned file is installed, and what the release has replaced carried over', async () => {
    const testDevice = await open('1.5.0');
    write(testDevice, 'EnableColaScan', false);
    await testDevice.respond('WriteEeprom');
    await transfer(testDevice, await built());
    await install(testDevice);
    testDevice.clock.advance(finished);
    await testDevice.boot();
    expect(testDevice.device.served.edition.release).toBe('2.4.4');
    expect(testDevice.device.read(legacyProtocols.members.EtherLegacyScanMode)).toBe(2);
    expect(testDevice.device.parameters.layer('working')).toMatchObject({ EtherDHCPFallback: 1 });
  });

  /** A scanner of 1.5.0 whose device search is switched off and stored so, with a file to install. */
  async function searchless(): Promise<TestDevice> {
    const testDevice = await open('1.5.0');
    write(testDevice, 'EnableColaScan', false);
    await testDevice.respond('WriteEeprom');
    await transfer(testDevice, await built());
    return testDevice;
  }

  const scanMode = (testDevice: TestDevice) =>
    testDevice.device.read(legacyProtocols.members.EtherLegacyScanMode);

  test('a power cut in the write of firmware.json leaves the old release and its parameters untouched', async () => {
    const testDevice = await searchless();
    const stored = testDevice.storage.documents.get('parameters.json');
    testDevice.storage.die('firmware.json');
    await install(testDevice);
    const again = await testDevice.afterPowerCut();
    expect([states(again), again.device.served.edition.release]).toEqual([[0, 3], '1.5.0']);
    expect(again.storage.documents.get('parameters.json')).toEqual(stored);
    // Later actions count, regardless of earlier ones.
    write(again, 'EnableColaScan', true);
    await again.respond('WriteEeprom');
    await install(again);
    const updated = await again.afterPowerCut();
    expect([updated.device.served.edition.release, scanMode(updated)]).toEqual(['2.4.4', 3]);
  });

  test('a power cut in the first boot, while parameters are carried over, has that done again', async () => {
    const testDevice = await searchless();
    await install(testDevice);
    testDevice.storage.die('parameters.json');
    testDevice.clock.advance(finished + bootMilliseconds);
    await done();
    const again = await testDevice.afterPowerCut();
    expect([again.device.served.edition.release, scanMode(again)]).toEqual(['2.4.4', 2]);
  });

  test('what is stored between the end of the installation and the reboot is carried over too', async () => {
    const testDevice = await open('1.5.0');
    await transfer(testDevice, await built());
    await install(testDevice);
    write(testDevice, 'EnableColaScan', false);
    await testDevice.respond('WriteEeprom');
    testDevice.clock.advance(finished);
    await testDevice.boot();
    expect([testDevice.device.served.edition.release, scanMode(testDevice)]).toEqual(['2.4.4', 2]);
  });

  test('parameters are carried over once: what the new release stores stays', async () => {
    const testDevice = await searchless();
    await install(testDevice);
    const updated = await testDevice.afterPowerCut();
    write(updated, 'EtherLegacyScanMode', 0);
    await updated.respond('WriteEeprom');
    expect(scanMode(await updated.afterPowerCut())).toBe(0);
  });
});

describe('a transfer', () => {
  test('that is broken off leaves the file before it', async () => {
    const testDevice = await open('2.3.1');
    await transfer(testDevice, await signed());
    const broken = async function* () {
      yield Buffer.from('AZI');
      throw new TransferStopped('gone');
    };
    await expect(testDevice.device.features.firmwareUpdate.receive(broken(), testDevice.log)).rejects.toThrow(
      'gone',
    );
    expect(testDevice.log.errors).toEqual([]);
    await install(testDevice);
    expect(states(testDevice)).toEqual([2, 2]);
  });

  test('without room on the disk keeps the old file, and the message has a remedy', async () => {
    const testDevice = await open('2.3.1');
    await transfer(testDevice, await signed());
    testDevice.storage.fail('firmware.spk', { once: true });
    await expect(transfer(testDevice, await built())).rejects.toMatchObject({
      code: 3,
      reason: expect.stringContaining('make room there'),
    });
    await install(testDevice);
    expect(states(testDevice)).toEqual([2, 2]);
  });

  test('is one at a time, and the next is accepted when it has ended', async () => {
    const testDevice = await open('2.3.1');
    const going = latch();
    const slow = async function* () {
      yield Buffer.from('first');
      await going.opened;
    };
    const first = testDevice.device.features.firmwareUpdate.receive(slow(), testDevice.log);
    await expect(transfer(testDevice, await signed())).rejects.toThrow(FirmwareBusy);
    going.open();
    await first;
    await transfer(testDevice, await signed());
  });

  test('that ends while another file is installed is not thrown away with that one', async () => {
    const testDevice = await open('2.3.1');
    await transfer(testDevice, await signed({ release: '2.3.3' }));
    const going = latch();
    const file = await signed();
    const slow = async function* () {
      yield file;
      await going.opened;
    };
    const second = testDevice.device.features.firmwareUpdate.receive(slow(), testDevice.log);
    await run(testDevice);
    going.open();
    await second;
    testDevice.clock.advance(writing);
    await done();
    testDevice.clock.advance(finished);
    await testDevice.boot();
    expect(testDevice.device.served.edition.release).toBe('2.3.3');
    await install(testDevice);
    testDevice.clock.advance(finished);
    await testDevice.boot();
    expect(testDevice.device.served.edition.release).toBe('2.4.4');
  });
});
