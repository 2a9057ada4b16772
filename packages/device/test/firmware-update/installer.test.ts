import { extensions, firmwareUpdate, type Release, status } from '@azimuth/model';
import { FaultyStorage } from '@azimuth/test-support/faulty-storage';
import { LogBook } from '@azimuth/test-support/log-book';
import { TestDevice } from '@azimuth/test-support/test-device';
import { latch, promisesSettled, until } from '@azimuth/test-support/waiting';
import { describe, expect, onTestFinished, test } from 'vitest';
import { longestStandstill } from '../../src/firmware-update/installation.js';
import type { FirmwareInstaller, RebootKind } from '../../src/index.js';
import { complete, pieces, signed, trusted } from './files.js';

const { UpdateState } = firmwareUpdate.members;
const { DeviceStatus } = status.members;
const { firmware } = extensions.members;
const finished = 2000;

/** The logs of these scanners. */
const logs = new WeakMap<TestDevice, LogBook>();
/** The restarts of these scanners. */
const reboots = new WeakMap<TestDevice, RebootKind[]>();

type Install = FirmwareInstaller['install'];

/** A scanner of release 2.3.1 whose hardware installs firmware, with a file of 2.4.4 that was transferred. */
async function boardWith(install: Install, file?: Uint8Array, storage = new FaultyStorage()) {
  const log = new LogBook();
  const kinds: RebootKind[] = [];
  const reboot = (kind: RebootKind) => void kinds.push(kind);
  const hardware = { log, temperature: () => 32.5, onChange: () => undefined, firmware: { install }, reboot };
  const facts = { release: '2.3.1' as Release, firmwareKey: trusted.publicKey };
  const board = await TestDevice.open({ ...facts, hardware }, storage);
  await board.device.features.firmwareUpdate.receive(pieces(file ?? (await signed()), 4096), board.log);
  logs.set(board, log);
  reboots.set(board, kinds);
  return board;
}

function stateOf({ device }: TestDevice) {
  return {
    UpdateState: device.read(UpdateState),
    DeviceStatus: device.read(DeviceStatus),
    ...device.read(firmware),
  };
}

/** Runs the installation until it stands still. */
async function run(board: TestDevice): Promise<void> {
  await board.respond('RunFirmwareUpdate');
  for (let round = 0; round < 20; round++) await promisesSettled();
}

function failures(board: TestDevice) {
  return (logs.get(board)?.lines ?? []).filter(({ severity }) => severity === 'warn' || severity === 'error');
}

describe('the installer of the hardware', () => {
  test('gets the payload of a checked file, and the scanner then runs the new release', async () => {
    const installed: string[] = [];
    const board = await boardWith(async (file) => {
      installed.push((await complete(file)).toString());
    });
    await run(board);
    expect(installed).toEqual(['the payload']);
    expect(stateOf(board)).toEqual({ UpdateState: 2, DeviceStatus: 2, Fault: '', Progress: 100 });
    board.clock.advance(finished);
    await board.boot();
    expect(stateOf(board)).toEqual({ UpdateState: 0, DeviceStatus: 3, Fault: '', Progress: 0 });
    expect(board.device.served.edition.release).toBe('2.4.4');
    expect(reboots.get(board)).toEqual(['update']);
  });

  test('gets no file with a wrong signature', async () => {
    let calls = 0;
    const unsigned = (await signed()).subarray(0, -64);
    const board = await boardWith(async () => {
      calls++;
    }, unsigned);
    await run(board);
    expect(calls).toBe(0);
    expect(stateOf(board)).toMatchObject({
      UpdateState: 3,
      DeviceStatus: 3,
      Fault: expect.stringContaining('it is not signed'),
    });
  });

  test('shows its progress in whole percents, which never go back', async () => {
    const ends = latch();
    let report: (percent: number) => void = () => undefined;
    const board = await boardWith(async (_, progress) => {
      report = progress;
      await ends.opened;
    });
    const seen: number[] = [];
    board.device.announcements.subscribe((changed) => {
      if (changed.some((variable) => variable === firmware)) seen.push(board.device.read(firmware).Progress);
    });
    await run(board);
    for (const percent of [0, 10.9, 10, 5, 60]) report(percent);
    expect(stateOf(board)).toEqual({ UpdateState: 1, DeviceStatus: 2, Fault: '', Progress: 60 });
    expect(seen).toEqual([10, 60]);
    ends.open();
    await until(() => board.device.read(UpdateState) === 2);
    report(70);
    expect(board.device.read(firmware).Progress).toBe(100);
  });

  test.each([Number.NaN, -1, 101, Number.POSITIVE_INFINITY, 'half', null, undefined])(
    'may state %s as its progress: the last one stays, and the log says it once',
    async (wrong) => {
      const board = await boardWith((_, progress) => {
        progress(40);
        for (let times = 0; times < 3; times++) Reflect.apply(progress, undefined, [wrong]);
        return new Promise(() => undefined);
      });
      await run(board);
      expect(stateOf(board)).toMatchObject({ UpdateState: 1, Progress: 40 });
      expect(failures(board)).toEqual([
        expect.objectContaining({
          message: 'The installer of the firmware states a wrong progress; the last one stays',
        }),
      ]);
    },
  );

  test('may be of a firmware whose release this program does not know', async () => {
    const board = await boardWith(async () => undefined, await signed({ release: '5.0.1' }));
    await run(board);
    expect(stateOf(board)).toMatchObject({ UpdateState: 2, Fault: '' });
    board.clock.advance(finished);
    await board.boot();
    expect(board.device.served.edition.release).toBe('2.3.1');
  });

  test('replaces no firmware by an older one that this program does not know', async () => {
    const board = await boardWith(async () => undefined, await signed({ release: '2.3.2' }));
    await run(board);
    expect(stateOf(board)).toMatchObject({ UpdateState: 3, Fault: 'the release 2.3.2 is unknown' });
  });

  test('leaves the record of the release to the next process, which may run the old firmware', async () => {
    const storage = new FaultyStorage();
    const board = await boardWith(async () => undefined, undefined, storage);
    await run(board);
    expect(stateOf(board)).toMatchObject({ UpdateState: 2 });
    const next = await board.afterPowerCut();
    expect(next.device.served.edition.release).toBe('2.3.1');
    expect(next.device.read(DeviceStatus)).toBe(3);
  });
});

const failingInstallers: Readonly<Record<string, readonly [Install, string]>> = {
  throws: [
    () => {
      throw new Error('no slot is free');
    },
    'no slot is free',
  ],
  rejects: [
    async () => Promise.reject(new Error('the bundle is for another board')),
    'the bundle is for another board',
  ],
  'rejects with a text': [async () => Promise.reject('exit code 1'), 'exit code 1'],
};

describe('an installer that fails', () => {
  test.each(Object.entries(failingInstallers))(
    'because it %s leaves the old firmware, with DeviceStatus 7 and one line',
    async (_, [install, why]) => {
      const board = await boardWith(install);
      await run(board);
      expect(stateOf(board)).toEqual({ UpdateState: 3, DeviceStatus: 7, Fault: why, Progress: 0 });
      expect(failures(board)).toEqual([
        expect.objectContaining({ message: 'Firmware was not installed', facts: { reason: why } }),
      ]);
      await board.reboot();
      expect(stateOf(board)).toEqual({ UpdateState: 0, DeviceStatus: 3, Fault: '', Progress: 0 });
      expect(board.device.served.edition.release).toBe('2.3.1');
    },
  );

  test('because it never ends fails after ten minutes without progress, and is told to end', async () => {
    const signals: AbortSignal[] = [];
    const ends = latch();
    const board = await boardWith(async (_, progress, signal) => {
      signals.push(signal);
      progress(50);
      await ends.opened;
    });
    await run(board);
    board.clock.advance(longestStandstill - 1);
    await promisesSettled();
    expect(stateOf(board)).toMatchObject({ UpdateState: 1, Progress: 50 });
    expect(signals[0]?.aborted).toBe(false);
    board.clock.advance(1);
    await promisesSettled();
    const Fault = 'the installer has made no progress for 10 min';
    expect(stateOf(board)).toEqual({ UpdateState: 3, DeviceStatus: 7, Fault, Progress: 50 });
    expect(signals[0]?.aborted).toBe(true);
    await run(board);
    expect(stateOf(board)).toMatchObject({
      UpdateState: 3,
      Fault: 'the installer still works on an earlier file',
    });
    ends.open();
    await promisesSettled();
    await run(board);
    expect(stateOf(board)).toMatchObject({ UpdateState: 2, DeviceStatus: 2, Fault: '' });
  });

  test('gets no more of the file after a reboot, which cancels it', async () => {
    const goesOn = latch();
    const results: unknown[] = [];
    const board = await boardWith(async (file) => {
      await goesOn.opened;
      await complete(file).then(
        (bytes) => results.push(bytes.length),
        (error: unknown) => results.push(String(error)),
      );
    });
    await run(board);
    await board.reboot();
    goesOn.open();
    await until(() => results.length > 0);
    expect(results).toEqual(['Error: the scanner has rebooted']);
    expect(stateOf(board)).toMatchObject({ UpdateState: 0, DeviceStatus: 3 });
    expect(failures(board)).toEqual([]);
  });

  test('gets no payload to its end that was changed after the check', async () => {
    const storage = new FaultyStorage();
    const content = await signed();
    const board = await boardWith(
      async (file) => {
        await complete(file);
      },
      content,
      storage,
    );
    const changed = Buffer.from(content);
    const at = changed.indexOf('the payload');
    changed.write('another one', at);
    let reads = 0;
    const read = storage.pieces.bind(storage);
    storage.pieces = async (name) => (++reads === 1 ? read(name) : pieces(changed));
    onTestFinished(() => {
      storage.pieces = read;
    });
    await run(board);
    expect(stateOf(board)).toMatchObject({
      UpdateState: 3,
      Fault: 'the payload has changed since it was checked',
    });
  });
});
