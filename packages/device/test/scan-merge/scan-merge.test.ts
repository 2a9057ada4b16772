import { performanceProfiles, Refusal } from '@azimuth/model';
import { LogBook } from '@azimuth/test-support/log-book';
import { atService, TestDevice } from '@azimuth/test-support/test-device';
import { promisesSettled, until } from '@azimuth/test-support/waiting';
import { describe, expect, test } from 'vitest';
import { MemoryStorage } from '../../src/index.js';
import { CloudFile, mostPoints, PointCloud } from '../../src/scan-merge/cloud-file.js';
import { ScanMerge } from '../../src/scan-merge/scan-merge.js';
import { output, placesOf, profile, Recorder } from './recorder.js';

const file = 'cloud.pcd';

/** The announced values of MergeSaving. */
function announced({ testDevice, scanMerge }: Recorder): boolean[] {
  const values: boolean[] = [];
  testDevice.device.announcements.subscribe((changed) => {
    if (changed.includes(output.MergeSaving)) values.push(scanMerge.saving);
  });
  return values;
}

function refusalOf(act: () => void): Refusal {
  try {
    act();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  throw new Error('a refusal was expected');
}

describe('a recording', () => {
  test('is begun by a call and ended by a call, and looks at scans in between only', async () => {
    const { scanMerge, core, testDevice } = await Recorder.open();
    expect([scanMerge.recording, core.turning]).toEqual([false, false]);
    scanMerge.start();
    expect([scanMerge.recording, core.turning]).toEqual([true, true]);
    testDevice.clock.advance(500);
    scanMerge.stop();
    expect([scanMerge.recording, core.turning]).toEqual([false, false]);
  });

  test('that is under way goes on when it is begun again', async () => {
    const recorder = await Recorder.open();
    recorder.scanMerge.start();
    recorder.testDevice.clock.advance(100);
    await recorder.record(95);
    expect(await recorder.points()).toHaveLength(4);
  });

  test('reads its settings when it begins', async () => {
    const recorder = await Recorder.open();
    recorder.count(1000);
    recorder.translateBy(0, 0, 1);
    recorder.core.firstAngle = 0;
    recorder.scanMerge.start();
    recorder.translateBy(0, 0, 5);
    await recorder.record(95);
    expect(placesOf(await recorder.points())).toEqual([
      [2, 0, 0],
      [2, 0, 0.05],
    ]);
  });

  test('is refused while the recorder is off', async () => {
    const recorder = await Recorder.open();
    const { scanMerge, core } = recorder;
    recorder.set(output.ScanMergerEnabled, false);
    expect(refusalOf(() => scanMerge.start())).toMatchObject({
      status: 'invalidData',
      message: expect.stringContaining('set ScanMergerEnabled to true'),
    });
    expect(core.turning).toBe(false);
  });

  test('ends and is saved when the recorder is switched off', async () => {
    const recorder = await Recorder.open();
    recorder.scanMerge.start();
    recorder.testDevice.clock.advance(95);
    recorder.set(output.ScanMergerEnabled, false);
    expect(recorder.scanMerge.recording).toBe(false);
    await recorder.saved();
    expect(await recorder.points()).toHaveLength(2);
  });

  test('is lost when the scanner goes down, and the one before stays', async () => {
    const recorder = await Recorder.open();
    await recorder.record(95);
    recorder.scanMerge.start();
    recorder.testDevice.clock.advance(500);
    recorder.scanMerge.down();
    expect([recorder.scanMerge.recording, recorder.scanMerge.saving]).toEqual([false, false]);
    recorder.testDevice.clock.advance(60_000);
    await promisesSettled();
    expect(recorder.scanMerge.saving).toBe(false);
    expect(await recorder.points()).toHaveLength(2);
  });

  test('is lost when the scanner goes down before it is saved, and the one before stays', async () => {
    const recorder = await Recorder.open();
    const { scanMerge, testDevice } = recorder;
    await recorder.record(95);
    scanMerge.start();
    testDevice.clock.advance(295);
    scanMerge.stop();
    const values = announced(recorder);
    scanMerge.down();
    expect(values).toEqual([false]);
    await until(() =>
      testDevice.log.lines.some(({ severity, message }) => severity === 'warn' && /lost/.test(message)),
    );
    expect(await recorder.points()).toHaveLength(2);
  });

  // 15 s from 40 Hz on and where beams are closer than 0.25°, else 30 s.
  test.each([
    ...([
      [1, 30],
      [2, 30],
      [3, 15],
      [4, 30],
      [5, 30],
      [6, 15],
    ] as const),
    ...([
      [7, 15],
      [8, 15],
      [9, 15],
      [10, 15],
      [11, 30],
    ] as const),
  ])('with profile %i ends by itself after %i s', async (number, seconds) => {
    const recorder = await Recorder.open();
    const { scanMerge, testDevice } = recorder;
    recorder.set(profile, number);
    scanMerge.start();
    testDevice.clock.advance(seconds * 1000 - 1);
    expect([scanMerge.recording, scanMerge.saving]).toEqual([true, false]);
    testDevice.clock.advance(1);
    expect([scanMerge.recording, scanMerge.saving]).toEqual([false, true]);
    await recorder.saved();
    const { frequency } = performanceProfiles[number];
    const scans = (await recorder.points()).length;
    // The present turn at the change of the profile is as long as up to three new ones.
    expect(Math.abs(scans - (frequency / 100) * seconds)).toBeLessThanOrEqual(3);
  });

  test('has its whole time, however long the one before was', async () => {
    const recorder = await Recorder.open();
    await recorder.record(20_000);
    recorder.scanMerge.start();
    recorder.testDevice.clock.advance(29_999);
    expect(recorder.scanMerge.recording).toBe(true);
  });

  test('ends when the cloud is full, which it is at 4 million points', async () => {
    expect(mostPoints).toBe(4_000_000);
    const full = 1500;
    const recorder = await Recorder.open({ mostPoints: full });
    const { scanMerge, core, testDevice } = recorder;
    core.distance = () => 2000;
    core.echoes = {};
    scanMerge.start();
    // A turn is 1105 points.
    testDevice.clock.advance(45);
    expect(scanMerge.recording).toBe(true);
    testDevice.clock.advance(50);
    expect([scanMerge.recording, scanMerge.saving]).toEqual([false, true]);
    await recorder.saved();
    expect(await recorder.points()).toHaveLength(full);
  });

  test('of nothing is an empty cloud, and this is logged', async () => {
    const recorder = await Recorder.open();
    recorder.testDevice.device.features.measuring.request('stopped');
    await recorder.record(500);
    expect(await recorder.points()).toEqual([]);
    expect(recorder.testDevice.log.lines).toContainEqual(expect.objectContaining({ severity: 'warn' }));
  });
});

describe('ScanMergeTrigger', () => {
  test('takes METHOD only: calls start recordings', async () => {
    const { testDevice } = await Recorder.open();
    expect(() => testDevice.device.write(output.ScanMergeTrigger, 1, atService)).toThrow(
      expect.objectContaining({ code: 9 }),
    );
    expect(testDevice.device.read(output.ScanMergeTrigger)).toBe(0);
  });
});

describe('MergeRunning', () => {
  test('is true while scans are recorded, and each change is announced', async () => {
    const recorder = await Recorder.open();
    const { scanMerge, testDevice } = recorder;
    const values: boolean[] = [];
    testDevice.device.announcements.subscribe((changed) => {
      if (changed.includes(output.MergeRunning)) values.push(scanMerge.recording);
    });
    await recorder.record(95);
    scanMerge.start();
    testDevice.clock.advance(30_000);
    expect(values).toEqual([true, false, true, false]);
  });
});

describe('SaveProgress', () => {
  /** Its announced values. */
  function progressOf({ testDevice, scanMerge }: Recorder): number[] {
    const values: number[] = [];
    const progress = scanMerge.computed.find(({ variable }) => variable.name === 'SaveProgress');
    testDevice.device.announcements.subscribe((changed) => {
      if (changed.includes(output.SaveProgress)) values.push(Number(progress?.value()));
    });
    return values;
  }

  test('is below 100 until the file is complete, and 0 again when the next recording begins', async () => {
    const recorder = await Recorder.open();
    const values = progressOf(recorder);
    await recorder.record(95);
    expect(values).toEqual([99, 100]);
    recorder.scanMerge.start();
    expect(values).toEqual([99, 100, 0]);
  });

  test('is 0 again if saving fails, or the scanner goes down', async () => {
    const recorder = await Recorder.open();
    const values = progressOf(recorder);
    recorder.testDevice.storage.fail(file);
    await recorder.record(95);
    expect(values.at(-1) ?? 0).toBe(0);
    recorder.testDevice.storage.recover();
    await recorder.record(95);
    recorder.scanMerge.down();
    expect(values.slice(-2)).toEqual([100, 0]);
  });

  test('grows with the pieces that are written', async () => {
    const points = new PointCloud();
    for (let point = 0; point < 3 * 65_536; point++) points.add(1, 2, 3, 4);
    const shares: number[] = [];
    const file = new CloudFile(new MemoryStorage(), new LogBook());
    await file.save(points, new AbortController().signal, (share) => shares.push(Math.round(100 * share)));
    expect(shares).toEqual([33, 67, 99, 100]);
  });
});

describe('MergeSaving', () => {
  test('is announced true when a recording ends, and false when it is saved', async () => {
    const recorder = await Recorder.open();
    const values = announced(recorder);
    await recorder.record(95);
    expect(values).toEqual([true, false]);
    await recorder.record(95);
    expect(values).toEqual([true, false, true, false]);
  });

  test('is true for a second at least, so that it can be seen', async () => {
    const recorder = await Recorder.open();
    const { scanMerge, testDevice } = recorder;
    scanMerge.start();
    testDevice.clock.advance(95);
    scanMerge.stop();
    await until(() => testDevice.storage.documents.has(file));
    testDevice.clock.advance(999);
    await promisesSettled();
    expect(scanMerge.saving).toBe(true);
    testDevice.clock.advance(1);
    await until(() => !scanMerge.saving);
  });

  test('is true as long as the disk takes; the cloud before is there until then', async () => {
    const recorder = await Recorder.open();
    const { scanMerge, testDevice } = recorder;
    await recorder.record(95);
    const gate = testDevice.storage.delay(file);
    scanMerge.start();
    testDevice.clock.advance(295);
    scanMerge.stop();
    testDevice.clock.advance(60_005);
    await promisesSettled();
    expect(scanMerge.saving).toBe(true);
    expect(await recorder.points()).toHaveLength(2);
    expect(refusalOf(() => scanMerge.start())).toMatchObject({
      message: expect.stringContaining('wait until MergeSaving is false'),
    });
    gate.open();
    await recorder.saved();
    expect(await recorder.points()).toHaveLength(6);
  });

  test('is that of the latest recording, when one before it was given up on a slow disk', async () => {
    const { scanMerge, testDevice } = await Recorder.open();
    const gate = testDevice.storage.delay(file);
    const recordOne = () => {
      scanMerge.start();
      testDevice.clock.advance(95);
      scanMerge.stop();
    };
    recordOne();
    testDevice.clock.advance(1000);
    await until(() => testDevice.storage.begun.at(-1) === file);
    scanMerge.down();
    recordOne();
    gate.open();
    await until(() => testDevice.storage.begun.filter((name) => name === file).length === 2);
    await promisesSettled();
    expect(scanMerge.saving).toBe(true);
  });

  test('becomes false where saving fails; the log tells, and the cloud before stays', async () => {
    const recorder = await Recorder.open();
    await recorder.record(95);
    recorder.testDevice.storage.fail(file);
    const values = announced(recorder);
    await recorder.record(295);
    expect(values).toEqual([true, false]);
    expect(recorder.testDevice.log.errors).toMatchObject([
      { message: 'A 3D recording could not be saved', facts: { reason: expect.stringContaining('ENOSPC') } },
    ]);
    expect(await recorder.points()).toHaveLength(2);
    recorder.testDevice.storage.recover();
    await recorder.record(295);
    expect(await recorder.points()).toHaveLength(6);
  });
});

describe('the cloud', () => {
  test('is none before the first recording', async () => {
    const { scanMerge } = await Recorder.open();
    expect(await scanMerge.cloud()).toBeUndefined();
  });

  test('is the latest one, and outlives a restart', async () => {
    const recorder = await Recorder.open();
    await recorder.record(295);
    await recorder.record(95);
    expect(await recorder.points()).toHaveLength(2);
    const again = await recorder.afterPowerCut();
    expect(await again.file()).toEqual(await recorder.file());
  });

  test('tells its length before it is read', async () => {
    const recorder = await Recorder.open();
    await recorder.record(295);
    const cloud = await recorder.scanMerge.cloud();
    expect(cloud?.bytes).toBe((await recorder.file())?.length);
    await cloud?.close();
  });

  test('is removed by a reset, and so is one that is being saved', async () => {
    const recorder = await Recorder.open();
    const { scanMerge, testDevice } = recorder;
    await recorder.record(95);
    await scanMerge.reset();
    expect(await scanMerge.cloud()).toBeUndefined();
    await scanMerge.reset();
    const gate = testDevice.storage.delay(file);
    scanMerge.start();
    testDevice.clock.advance(295);
    scanMerge.stop();
    await until(() => testDevice.storage.begun.at(-1) === file);
    const done = scanMerge.reset();
    expect(scanMerge.saving).toBe(false);
    gate.open();
    await done;
    expect(await scanMerge.cloud()).toBeUndefined();
  });

  test('is not removed by a reset while the next one is recorded, which goes on', async () => {
    const recorder = await Recorder.open();
    recorder.scanMerge.start();
    recorder.testDevice.clock.advance(100);
    await recorder.scanMerge.reset();
    await recorder.record(195);
    expect(await recorder.points()).toHaveLength(6);
  });

  test('is set aside where it is none of ours', async () => {
    const recorder = await Recorder.open();
    recorder.testDevice.storage.documents.set(
      file,
      Buffer.from('VERSION 0.7\nPOINTS 1\nDATA ascii\n0 0 0 0\n'),
    );
    expect(await recorder.scanMerge.cloud()).toBeUndefined();
    expect(recorder.testDevice.storage.documents.has(`${file}.unreadable`)).toBe(true);
    expect(recorder.testDevice.log.lines.at(-1)).toMatchObject({ severity: 'warn' });
    await recorder.record(95);
    expect(await recorder.points()).toHaveLength(2);
  });

  test('that has more behind it is sent as long as it says it is', async () => {
    const recorder = await Recorder.open();
    await recorder.record(95);
    const complete = await recorder.file();
    recorder.testDevice.storage.documents.set(
      file,
      Buffer.concat([complete ?? Buffer.of(), Buffer.of(1, 2, 3)]),
    );
    expect(await recorder.file()).toEqual(complete);
  });

  test('that is called off in the middle is not written to its end', async () => {
    const stopping = new AbortController();
    class Slow extends MemoryStorage {
      override async receive(name: string, pieces: AsyncIterable<Uint8Array>): Promise<void> {
        for await (const piece of pieces) if (piece.length > 0) stopping.abort();
        await this.write(name, Buffer.of());
      }
    }
    const points = new PointCloud();
    points.add(1, 2, 3, 4);
    const saved = new CloudFile(new Slow(), new LogBook()).save(points, stopping.signal, () => undefined);
    await expect(saved).rejects.toThrow(/abort/i);
  });

  test('that is cut off breaks off where it ends', async () => {
    const recorder = await Recorder.open();
    await recorder.record(95);
    const complete = await recorder.file();
    recorder.testDevice.storage.documents.set(file, complete?.subarray(0, -5) ?? Buffer.of());
    await expect(recorder.file()).rejects.toThrow('5 bytes are missing');
  });
});

describe('the feature', () => {
  test('starts, stops and resets, and has MergeSaving', async () => {
    const recorder = await Recorder.open();
    const { scanMerge, testDevice } = recorder;
    const { methods, computed } = scanMerge;
    const caller = {
      caller: { level: 'Service' as const },
      log: testDevice.log,
      afterwards: () => undefined,
    };
    const call = async (name: string) =>
      methods.find(({ method }) => method.name === name)?.perform({}, caller);
    const saving = computed.find(({ variable }) => variable.name === 'MergeSaving');
    expect(await call('StartScanMerge')).toEqual({});
    testDevice.clock.advance(95);
    expect(saving?.value()).toBe(false);
    expect(await call('StopScanMerge')).toEqual({});
    expect(saving?.value()).toBe(true);
    await recorder.saved();
    expect(saving?.value()).toBe(false);
    expect(await recorder.points()).toHaveLength(2);
    expect(await call('ResetScanMergeView')).toEqual({});
    expect(await scanMerge.cloud()).toBeUndefined();
  });
});

test.each([
  ['the variant basic', { variant: 'basic' }],
  ['release 2.2.0', { release: '2.2.0' }],
] as const)('%s has no recorder, and no names of it', async (_, edition) => {
  const { device, context, storage, log, clock } = await TestDevice.open(edition);
  const { parameters, announcements } = context;
  const { measuring, encoder, imu } = device.features;
  const facts = { parameters, announcements, measuring, encoder, imu, clock, storage, log };
  const scanMerge = new ScanMerge(facts);
  expect(refusalOf(() => scanMerge.start())).toMatchObject({ status: 'invalidData' });
  for (const name of [
    ...['StartScanMerge', 'StopScanMerge', 'ResetScanMergeView'],
    ...['MergeRunning', 'MergeSaving', 'SaveProgress'],
  ]) {
    expect(device.served.endpoints.has(name)).toBe(false);
  }
});
