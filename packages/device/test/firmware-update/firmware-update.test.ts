// Loaded before the first installation, whose steps are told apart here.
import '../../src/firmware-update/firmware-file.js';
import { firmwareUpdate, general, legacyProtocols, type Release, status } from '@azimuth/model';
import { beforeEach, describe, expect, test } from 'vitest';
import { atService, Bench, bootMilliseconds } from '../../../../tests/support/device-test-bench.js';
import { FaultyStorage } from '../../../../tests/support/faulty-storage.js';
import { latch, settled } from '../../../../tests/support/waiting.js';
import { FirmwareBusy, TransferStopped } from '../../src/index.js';
import { endsAndSample, withBitFlipped } from '../samples.js';
import { built, foreign, pieces, signed, trusted } from './files.js';

const { UpdateState } = firmwareUpdate.members;
const { DeviceStatus } = status.members;
const writing = 1000;
const finished = 2000;

function open(release: Release, storage = new FaultyStorage(), firmwareKey = trusted.publicKey) {
  return Bench.open({ release, firmwareKey }, storage);
}

function write(bench: Bench, name: string, value: unknown): void {
  const endpoint = bench.device.endpoints.get(name);
  if (endpoint?.kind !== 'variable') throw new TypeError(`no variable ${name}`);
  bench.device.write(endpoint, value, atService);
}

async function transfer(bench: Bench, file: Uint8Array): Promise<void> {
  await bench.device.firmwareUpdate.receive(pieces(file, 4096), bench.log);
}

/** Everything that has to do with promises alone, and not with time, comes to its end. */
async function done(): Promise<void> {
  for (let round = 0; round < 20; round++) await settled();
}

function states(bench: Bench): readonly number[] {
  return [bench.device.read(UpdateState), bench.device.read(DeviceStatus)];
}

async function run(bench: Bench): Promise<void> {
  expect(await bench.respond('RunFirmwareUpdate')).toEqual({});
  await done();
}

async function expectRefused(bench: Bench, why: string): Promise<void> {
  await run(bench);
  expect(states(bench)).toEqual([3, 3]);
  expect(bench.log.lines.at(-1)).toMatchObject({
    severity: 'warn',
    message: 'Firmware was not installed',
    facts: { reason: expect.stringContaining(why) },
  });
  bench.clock.advance(60_000);
  await done();
  expect(states(bench)).toEqual([3, 3]);
}

async function install(bench: Bench): Promise<void> {
  await run(bench);
  bench.clock.advance(writing);
  await done();
}

describe('an installation', () => {
  let bench: Bench;

  beforeEach(async () => {
    bench = await open('2.3.1');
    await transfer(bench, await signed());
  });

  test('is started at the answer, finished when it is on disk, and for two seconds; then the scanner is new', async () => {
    expect(states(bench)).toEqual([0, 3]);
    expect(await bench.respond('RunFirmwareUpdate')).toEqual({});
    expect(states(bench)).toEqual([1, 2]);
    await done();
    bench.clock.advance(writing - 1);
    await done();
    expect(states(bench)).toEqual([1, 2]);
    bench.clock.advance(1);
    await done();
    expect(states(bench)).toEqual([2, 2]);
    bench.clock.advance(finished - 1);
    expect([states(bench), bench.device.lifecycle.phase]).toEqual([[2, 2], 'up']);
    expect(bench.device.edition.release).toBe('2.3.1');
    bench.clock.advance(1);
    expect(bench.device.lifecycle.phase).toBe('down');
    await bench.boot();
    expect(states(bench)).toEqual([0, 3]);
    expect(bench.device.edition.release).toBe('2.4.4');
    expect(bench.device.endpoints.has('laserType')).toBe(true);
  });

  test('announces every state', async () => {
    const told: number[][] = [];
    bench.device.announcements.subscribe((changed) => {
      const about = changed.some((variable) => variable === UpdateState || variable === DeviceStatus);
      if (about) told.push([...states(bench)]);
    });
    await install(bench);
    bench.clock.advance(finished);
    await bench.boot();
    const order = told.map(String).filter((state, index, all) => state !== all[index - 1]);
    expect(order).toEqual(expect.arrayContaining(['1,2', '2,2', '0,3']));
    expect(order.indexOf('1,2')).toBeLessThan(order.indexOf('2,2'));
  });

  test('keeps what was stored, and the release that the scanner was delivered with', async () => {
    write(bench, 'LocationName', 'Gate 3');
    await bench.respond('WriteEeprom');
    await bench.respond('EnableUserLevel', { userLevel: 2, isEnabled: true });
    write(bench, 'LocationName', 'never stored');
    const { MD5Parameters, MD5App } = bench.device.read(general.members.LFTchecksum);
    await install(bench);
    bench.clock.advance(finished);
    await bench.boot();
    expect(bench.device.parameters.layer('working')).toMatchObject({ LocationName: 'Gate 3' });
    expect(bench.device.state.content.userLevels.Maintenance).toBe(true);
    expect(bench.device.firmware.createdWith).toBe('2.3.1');
    expect(bench.device.read(general.members.LFTchecksum).MD5Parameters).toBe(MD5Parameters);
    expect(bench.device.read(general.members.LFTchecksum).MD5App).not.toBe(MD5App);
  });

  test('uses the file up: a second one has none', async () => {
    await install(bench);
    bench.clock.advance(finished);
    await bench.boot();
    await expectRefused(bench, 'no file was transferred');
  });

  test('that is asked for again meanwhile just goes on', async () => {
    await run(bench);
    bench.clock.advance(writing - 1);
    await run(bench);
    bench.clock.advance(1);
    await done();
    expect(states(bench)).toEqual([2, 2]);
    await run(bench);
    bench.clock.advance(finished);
    expect(bench.device.lifecycle.phase).toBe('down');
  });

  test('takes no other file meanwhile', async () => {
    await run(bench);
    await expect(transfer(bench, await built())).rejects.toThrow(FirmwareBusy);
  });

  test.each(['SoftReset', 'RebootDevice'] as const)(
    'is called off by %s before it is on disk',
    async (method) => {
      await run(bench);
      const { afterwards } = await bench.call(method, method === 'SoftReset' ? { ProcessorNbr: 0 } : {});
      afterwards?.();
      bench.clock.advance(bootMilliseconds);
      await done();
      bench.clock.advance(60_000);
      await done();
      expect([states(bench), bench.device.edition.release]).toEqual([[0, 3], '2.3.1']);
      await install(bench);
      expect(states(bench)).toEqual([2, 2]);
    },
  );

  test('that is on disk survives a power cut before its reboot', async () => {
    await install(bench);
    bench.device.powerCycle();
    await bench.boot();
    expect([states(bench), bench.device.edition.release]).toEqual([[0, 3], '2.4.4']);
    bench.clock.advance(finished);
    expect(bench.device.lifecycle.phase).toBe('up');
  });

  test('is waited for by a boot where its last step is on the way to a slow disk', async () => {
    const slow = bench.storage.delay('firmware.json');
    await install(bench);
    expect(states(bench)).toEqual([1, 2]);
    bench.device.powerCycle();
    bench.clock.advance(bootMilliseconds);
    await done();
    expect(bench.device.lifecycle.phase).toBe('starting');
    slow.open();
    await done();
    expect([bench.device.lifecycle.phase, bench.device.edition.release]).toEqual(['up', '2.4.4']);
    expect(states(bench)).toEqual([0, 3]);
  });

  test('that finds no room on the disk is an error, and the old release stays', async () => {
    bench.storage.fail('firmware.json');
    await install(bench);
    expect(states(bench)).toEqual([3, 3]);
    bench.storage.recover();
    await bench.reboot();
    expect([states(bench), bench.device.edition.release]).toEqual([[0, 3], '2.3.1']);
    expect((await bench.afterPowerCut()).device.edition.release).toBe('2.3.1');
  });

  test('of the release that runs is made like any other', async () => {
    await transfer(bench, await signed({ release: '2.3.1' }));
    await install(bench);
    bench.clock.advance(finished);
    await bench.boot();
    expect([states(bench), bench.device.edition.release]).toEqual([[0, 3], '2.3.1']);
  });
});

describe('a file is not installed', () => {
  test('where there is none', async () => {
    await expectRefused(await open('2.3.1'), 'no file was transferred');
  });

  test.each([
    ['no firmware', async () => Buffer.from('no firmware'), 'no firmware file'],
    ['empty', async () => Buffer.alloc(0), 'cut off'],
    ['truncated', async () => (await signed()).subarray(0, -65), 'cut off'],
    ['unsigned', () => built(), 'not signed'],
    ['signed by another key', () => signed({}, foreign.privateKey), 'not that of the trusted key'],
    ['for another device', () => signed({ deviceType: 'multiScan1xx' }), 'for the device type multiScan1xx'],
    ['older', () => signed({ release: '2.2.0' }), 'older than the running release 2.3.1'],
    ['of an unknown release', () => signed({ release: '9.9.9' }), '9.9.9 is unknown'],
  ])('that is %s', async (_, file, why) => {
    const bench = await open('2.3.1');
    await transfer(bench, await file());
    await expectRefused(bench, why);
    expect((await bench.afterPowerCut()).device.edition.release).toBe('2.3.1');
  });

  test('that has a bit flipped', async () => {
    const bench = await open('2.3.1');
    const file = await signed();
    for (const bit of endsAndSample(file.length * 8, 64, 101)) {
      bench.storage.documents.set('firmware.spk', withBitFlipped(file, bit));
      await run(bench);
      expect(states(bench), `bit ${bit}`).toEqual([3, 3]);
    }
    expect(bench.device.edition.release).toBe('2.3.1');
  });

  test('by a scanner that trusts no key', async () => {
    const bench = await Bench.open({ release: '2.2.0' });
    await transfer(bench, await signed());
    await expectRefused(bench, 'no key is trusted here');
  });

  test('that is signed, below 2.2.0', async () => {
    const bench = await open('2.1.0');
    await transfer(bench, await signed());
    await expectRefused(bench, 'release 2.1.0 does not support');
  });

  test('after which a good one is', async () => {
    const bench = await open('2.3.1');
    await run(bench);
    await transfer(bench, await signed());
    await install(bench);
    expect(states(bench)).toEqual([2, 2]);
  });
});

describe('below 2.2.0', () => {
  test('an unsigned file is installed, and what the release has replaced carried over', async () => {
    const bench = await open('1.5.0');
    write(bench, 'EnableColaScan', false);
    await bench.respond('WriteEeprom');
    await transfer(bench, await built());
    await install(bench);
    bench.clock.advance(finished);
    await bench.boot();
    expect(bench.device.edition.release).toBe('2.4.4');
    expect(bench.device.read(legacyProtocols.members.EtherLegacyScanMode)).toBe(2);
    expect(bench.device.parameters.layer('working')).toMatchObject({ EtherDHCPFallback: 1 });
  });

  /** A scanner of 1.5.0 whose device search is switched off and stored so, with a file to install. */
  async function searchless(): Promise<Bench> {
    const bench = await open('1.5.0');
    write(bench, 'EnableColaScan', false);
    await bench.respond('WriteEeprom');
    await transfer(bench, await built());
    return bench;
  }

  const scanMode = (bench: Bench) => bench.device.read(legacyProtocols.members.EtherLegacyScanMode);

  test('a power cut in the write of firmware.json leaves the old release and its parameters untouched', async () => {
    const bench = await searchless();
    const stored = bench.storage.documents.get('parameters.json');
    bench.storage.die('firmware.json');
    await install(bench);
    const again = await bench.afterPowerCut();
    expect([states(again), again.device.edition.release]).toEqual([[0, 3], '1.5.0']);
    expect(again.storage.documents.get('parameters.json')).toEqual(stored);
    // What is said later counts, whatever was begun before.
    write(again, 'EnableColaScan', true);
    await again.respond('WriteEeprom');
    await install(again);
    const updated = await again.afterPowerCut();
    expect([updated.device.edition.release, scanMode(updated)]).toEqual(['2.4.4', 3]);
  });

  test('a power cut in the first boot, while parameters are carried over, has that done again', async () => {
    const bench = await searchless();
    await install(bench);
    bench.storage.die('parameters.json');
    bench.clock.advance(finished + bootMilliseconds);
    await done();
    const again = await bench.afterPowerCut();
    expect([again.device.edition.release, scanMode(again)]).toEqual(['2.4.4', 2]);
  });

  test('what is stored between the end of the installation and the reboot is carried over too', async () => {
    const bench = await open('1.5.0');
    await transfer(bench, await built());
    await install(bench);
    write(bench, 'EnableColaScan', false);
    await bench.respond('WriteEeprom');
    bench.clock.advance(finished);
    await bench.boot();
    expect([bench.device.edition.release, scanMode(bench)]).toEqual(['2.4.4', 2]);
  });

  test('parameters are carried over once: what the new release stores stays', async () => {
    const bench = await searchless();
    await install(bench);
    const updated = await bench.afterPowerCut();
    write(updated, 'EtherLegacyScanMode', 0);
    await updated.respond('WriteEeprom');
    expect(scanMode(await updated.afterPowerCut())).toBe(0);
  });
});

describe('a transfer', () => {
  test('that is broken off leaves the file before it', async () => {
    const bench = await open('2.3.1');
    await transfer(bench, await signed());
    const broken = async function* () {
      yield Buffer.from('AZI');
      throw new TransferStopped('gone');
    };
    await expect(bench.device.firmwareUpdate.receive(broken(), bench.log)).rejects.toThrow('gone');
    expect(bench.log.errors).toEqual([]);
    await install(bench);
    expect(states(bench)).toEqual([2, 2]);
  });

  test('that finds no room leaves the file before it, and says what helps', async () => {
    const bench = await open('2.3.1');
    await transfer(bench, await signed());
    bench.storage.fail('firmware.spk', { once: true });
    await expect(transfer(bench, await built())).rejects.toMatchObject({
      code: 3,
      reason: expect.stringContaining('make room there'),
    });
    await install(bench);
    expect(states(bench)).toEqual([2, 2]);
  });

  test('is one at a time, and the next is taken when it has ended', async () => {
    const bench = await open('2.3.1');
    const going = latch();
    const slow = async function* () {
      yield Buffer.from('first');
      await going.opened;
    };
    const first = bench.device.firmwareUpdate.receive(slow(), bench.log);
    await expect(transfer(bench, await signed())).rejects.toThrow(FirmwareBusy);
    going.open();
    await first;
    await transfer(bench, await signed());
  });

  test('that ends while another file is installed is not thrown away with that one', async () => {
    const bench = await open('2.3.1');
    await transfer(bench, await signed({ release: '2.3.3' }));
    const going = latch();
    const file = await signed();
    const slow = async function* () {
      yield file;
      await going.opened;
    };
    const second = bench.device.firmwareUpdate.receive(slow(), bench.log);
    await run(bench);
    going.open();
    await second;
    bench.clock.advance(writing);
    await done();
    bench.clock.advance(finished);
    await bench.boot();
    expect(bench.device.edition.release).toBe('2.3.3');
    await install(bench);
    bench.clock.advance(finished);
    await bench.boot();
    expect(bench.device.edition.release).toBe('2.4.4');
  });
});
