import { detectionHistory, extensions, newestRelease } from '@azimuth/model';
import { FaultyStorage } from '@azimuth/test-support/faulty-storage';
import { promisesSettled } from '@azimuth/test-support/waiting';
import { describe, expect, test } from 'vitest';
import { DetectionHistory } from '../../src/detection-history/detection-history.js';
import { Conditions } from '../../src/lifecycle/conditions.js';
import { decodeDocument, encodeDocument } from '../../src/storage/document.js';
import { Documents } from '../../src/storage/documents.js';
import { evaluation, FieldTestDevice, group } from '../field-evaluation/field-test-device.js';
import { arc, nothing } from '../field-evaluation/scripted-core.js';

const document = 'detections.json';
const { EnableDetectionHistory, EvaluationsToLog } = detectionHistory.members;

/**
 * Two fields, in groups 1 and 2. They are infringed 10 ms after a scan that shows something, and free 10 ms after a scan
 * that does not.
 */
async function following(storage = new FaultyStorage()) {
  const testDevice = new FieldTestDevice();
  const documents = new Documents(storage, testDevice.log);
  const conditions = new Conditions(() => undefined);
  const history = await DetectionHistory.load({
    documents,
    clock: testDevice.clock,
    log: testDevice.log,
    fields: testDevice.fields,
    parameters: testDevice.parameters,
    announcements: testDevice.announcements,
    conditions,
    served: { current: { edition: { release: newestRelease, variant: 'full' } } },
  });
  const times = { TimeForInfringedState: 10, TimeForFreeState: 10 };
  testDevice.define(
    [evaluation({ Id: 1, Name: 'door', ...times }), evaluation({ Id: 48, Name: 'gate', ...times })],
    [group(1, [1])],
  );
  const onDisk = () => decodeDocument(storage.documents.get(document) ?? new Uint8Array()).detections;
  /** An object is in the field for one scan: 200 ms. */
  const detect = (times = 1) => {
    for (let time = 0; time < times; time++) {
      const begin = testDevice.now === 0 ? 0 : Math.floor(testDevice.now / 200) * 200 + 200;
      testDevice.core.sight = arc(0, 0, 1500);
      testDevice.until(begin + 90);
      testDevice.core.sight = nothing;
      testDevice.until(begin + 190);
    }
  };
  testDevice.core.sight = nothing;
  return {
    testDevice,
    history,
    conditions,
    storage,
    documents,
    onDisk,
    detect,
    epoch: testDevice.clock.utc(),
  };
}

const entry = (Timestamp: number) => ({
  Timestamp,
  EvaluationId: 1,
  Name: 'door',
  Positions: [{ x: 1500, y: 0 }],
});

describe('an entry', () => {
  test('is made each time that a field becomes infringed, the newest last', async () => {
    const { history, detect, epoch, testDevice } = await following();
    const announced: unknown[] = [];
    testDevice.announcements.subscribe((changed) => {
      if (changed.includes(extensions.members.history)) announced.push(testDevice.now);
    });
    detect(3);
    expect(history.detections).toEqual([entry(epoch + 60), entry(epoch + 260), entry(epoch + 460)]);
    expect(announced).toEqual([60, 260, 460]);
  });

  test('is one, however long something stays', async () => {
    const { history, testDevice } = await following();
    testDevice.core.sight = arc(0, 0, 1500);
    testDevice.until(10_000);
    expect(history.detections).toHaveLength(1);
  });

  test('is left out while the history is switched off', async () => {
    const { history, detect, testDevice } = await following();
    testDevice.write(EnableDetectionHistory, false);
    detect();
    expect(history.detections).toEqual([]);
    testDevice.write(EnableDetectionHistory, true);
    detect();
    expect(history.detections).toHaveLength(1);
  });

  test('is left out of an evaluation that is not to be logged', async () => {
    const { history, detect, testDevice } = await following();
    const { definitions } = testDevice;
    testDevice.define(definitions.evaluations, [group(1, [1, 48])]);
    testDevice.write(
      EvaluationsToLog,
      Array.from({ length: 48 }, (_, index) => index !== 0),
    );
    detect();
    expect(history.detections.map(({ EvaluationId, Name }) => [EvaluationId, Name])).toEqual([[48, 'gate']]);
  });
});

test('the 201st entry pushes the oldest out', async () => {
  const { history, detect, epoch } = await following();
  detect(200);
  expect(history.detections).toHaveLength(200);
  expect(history.detections[0]?.Timestamp).toBe(epoch + 60);
  detect();
  expect(history.detections).toHaveLength(200);
  expect(history.detections[0]?.Timestamp).toBe(epoch + 260);
  expect(history.detections[199]?.Timestamp).toBe(epoch + 40_060);
});

describe('on disk', () => {
  test('are all entries a second after the first that was not, in one write', async () => {
    const { detect, storage, onDisk, testDevice } = await following();
    detect(5);
    testDevice.until(1059);
    await promisesSettled();
    expect(storage.begun).toEqual([]);
    testDevice.until(1060);
    await promisesSettled();
    expect(storage.begun).toEqual([document]);
    expect(onDisk()).toHaveLength(5);
    testDevice.until(10_000);
    await promisesSettled();
    expect(storage.begun).toEqual([document]);
  });

  test('is one write a second at most, over hours of detections', async () => {
    const { detect, storage, onDisk, history } = await following();
    for (let second = 0; second < 30; second++) {
      detect(5);
      await promisesSettled();
    }
    expect(storage.begun.length).toBeLessThanOrEqual(30);
    expect(storage.begun.length).toBeGreaterThan(20);
    await history.end();
    expect(onDisk()).toHaveLength(150);
  });

  test('a slow disk is given no second write before the first is done', async () => {
    const { detect, storage, onDisk, testDevice } = await following();
    const gate = storage.delay(document);
    detect(10);
    await promisesSettled();
    // The running write has the first ten.
    detect(10);
    testDevice.until(10_000);
    await promisesSettled();
    expect(storage.begun).toHaveLength(1);
    gate.open();
    await promisesSettled();
    testDevice.until(11_100);
    await promisesSettled();
    expect(storage.begun).toHaveLength(2);
    expect(onDisk()).toHaveLength(20);
  });

  test('the end stores what is not stored yet, and nothing where all is', async () => {
    const { detect, storage, onDisk, history, testDevice } = await following();
    detect(2);
    await history.end();
    expect(onDisk()).toHaveLength(2);
    testDevice.until(10_000);
    await history.end();
    await promisesSettled();
    expect(storage.begun).toHaveLength(1);
  });

  test('what could not be stored is logged, and stored with the next entry or at the end', async () => {
    const { detect, storage, onDisk, testDevice, history } = await following();
    storage.fail(document, { once: true });
    detect();
    testDevice.until(3000);
    await promisesSettled();
    expect(testDevice.log.errors.map(({ message }) => message)).toEqual([
      'The detection history could not be stored',
    ]);
    expect(storage.documents.has(document)).toBe(false);
    await history.end();
    expect(onDisk()).toHaveLength(1);
  });
});

describe('a disk that fails', () => {
  async function failing() {
    const testDevice = await following();
    testDevice.storage.fail(document);
    testDevice.detect();
    const at = async (moment: number) => {
      testDevice.testDevice.until(moment);
      await promisesSettled();
      return testDevice.storage.begun.length;
    };
    return { ...testDevice, at };
  }

  test('gets another write a second later, then every ten, and gets everything once it works', async () => {
    const { at, storage, onDisk, detect, testDevice } = await failing();
    // The entry is of 60 ms.
    expect(await at(1059)).toBe(0);
    expect(await at(1060)).toBe(1);
    expect(await at(2059)).toBe(1);
    expect(await at(2060)).toBe(2);
    detect();
    expect(await at(12_059)).toBe(2);
    expect(await at(12_060)).toBe(3);
    expect(await at(22_060)).toBe(4);
    storage.recover();
    expect(await at(32_059)).toBe(4);
    expect(await at(32_060)).toBe(5);
    expect(onDisk()).toHaveLength(2);
    expect(await at(100_000)).toBe(5);
    expect(testDevice.log.errors).toHaveLength(1);
  });

  test('is logged once, and again when it fails after it has worked', async () => {
    const { at, storage, detect, testDevice } = await failing();
    await at(10_000);
    storage.recover();
    await at(20_000);
    storage.fail(document);
    expect(testDevice.log.errors).toHaveLength(1);
    detect();
    await at(30_000);
    expect(testDevice.log.errors).toHaveLength(2);
  });

  test('gets no writes after the end', async () => {
    const { at, history, storage } = await failing();
    await history.end();
    expect(storage.begun).toHaveLength(1);
    expect(await at(100_000)).toBe(1);
  });
});

describe('a restart', () => {
  test('keeps the history and continues it', async () => {
    const first = await following();
    first.detect(3);
    await first.history.end();
    const second = await following(first.storage.afterPowerCut());
    expect(second.conditions.intact).toBe(true);
    expect(second.history.detections).toEqual(first.history.detections);
    second.detect();
    expect(second.history.detections).toHaveLength(4);
  });

  test('after a power cut lacks the last second at most', async () => {
    const first = await following();
    first.detect(5);
    first.testDevice.until(1060);
    await promisesSettled();
    first.detect(3);
    expect(first.history.detections).toHaveLength(8);
    const second = await following(first.storage.afterPowerCut());
    // Entries at 60, 260 … 860 ms, and a write at 1060.
    expect(second.history.detections).toEqual(first.history.detections.slice(0, 5));
  });

  test.each([
    ['altered', Buffer.from('{"format":1,"detections":[')],
    ['of another content', encodeDocument({ detections: [{ Timestamp: 'yesterday' }] })],
    ['of nothing', encodeDocument({})],
  ])('with a document that is %s sets it aside and begins anew', async (_, content) => {
    const storage = new FaultyStorage(new Map([[document, content]]));
    const { history, conditions, testDevice, detect, onDisk } = await following(storage);
    expect(conditions.intact).toBe(false);
    expect(history.detections).toEqual([]);
    const aside = String(testDevice.log.errors[0]?.facts.setAside);
    expect(storage.documents.get(aside)).toEqual(content);
    detect();
    await history.end();
    expect(onDisk()).toHaveLength(1);
  });
});

describe('a reset', () => {
  test('is on disk before its response', async () => {
    const { detect, storage, onDisk, history, testDevice } = await following();
    detect(2);
    await history.end();
    const gate = storage.delay(document);
    const [act] = history.methods;
    let responded = false;
    const caller = { level: 'Service' } as const;
    const response = Promise.resolve(
      act?.perform({}, { caller, log: testDevice.log, afterwards: () => undefined }),
    ).then((response) => {
      responded = true;
      return response;
    });
    await promisesSettled();
    expect(responded).toBe(false);
    expect(history.detections).toHaveLength(2);
    gate.open();
    expect(await response).toEqual({});
    expect(onDisk()).toEqual([]);
    expect(history.computed[0]?.value()).toEqual([]);
  });

  test('is not undone by a write that was due', async () => {
    const { detect, onDisk, history, testDevice } = await following();
    detect(2);
    await history.reset();
    testDevice.until(5000);
    await promisesSettled();
    expect(onDisk()).toEqual([]);
  });

  test('keeps what comes while it is stored', async () => {
    const { detect, storage, onDisk, history, testDevice } = await following();
    detect(2);
    const gate = storage.delay(document);
    const reset = history.reset();
    await promisesSettled();
    detect();
    gate.open();
    await reset;
    expect(history.detections).toHaveLength(1);
    testDevice.until(5000);
    await promisesSettled();
    expect(onDisk()).toEqual(history.detections);
  });

  test('that cannot be stored fails, and no detection is deleted', async () => {
    const { detect, storage, history } = await following();
    detect(2);
    storage.fail(document, { once: true });
    await expect(history.reset()).rejects.toMatchObject({ status: 'internalServerError' });
    expect(history.detections).toHaveLength(2);
    await history.reset();
    expect(history.detections).toEqual([]);
  });
});
