import { builtInProduct, operatingData, type Variable } from '@azimuth/model';
import { FaultyStorage } from '@azimuth/test-support/faulty-storage';
import { LogBook } from '@azimuth/test-support/log-book';
import { promisesSettled } from '@azimuth/test-support/waiting';
import { expect, onTestFinished, test } from 'vitest';
import { Announcements } from '../../src/announcements.js';
import { DeviceTime } from '../../src/clock/device-time.js';
import { VirtualClock } from '../../src/index.js';
import { Conditions } from '../../src/lifecycle/conditions.js';
import { Parameters } from '../../src/parameters/parameters.js';
import { Saving, unreadableParameters } from '../../src/parameters/saving.js';
import { StoredState } from '../../src/parameters/stored-state.js';
import { decodeDocument } from '../../src/storage/document.js';
import { Documents } from '../../src/storage/documents.js';
import { Gain, parameterSet, Target, Threshold } from './invented.js';

const on = { Maintenance: true, AuthorizedClient: true, Service: true };
const off = { Maintenance: false, AuthorizedClient: false, Service: true };
const document = 'parameters.json';
const { LastParaDate, LastParaTime } = operatingData.members;

/** Parameters and their place on disk, of a scanner with invented variables. */
async function saved() {
  const storage = new FaultyStorage();
  const clock = new VirtualClock();
  const announcements = new Announcements();
  const parameters = new Parameters(announcements);
  const time = new DeviceTime(clock);
  const conditions = new Conditions(() => {});
  const state = new StoredState(new Documents(storage, new LogBook()), () => ({
    saved: time.stamp(),
    webserverEnabled: true,
    userLevels: on,
    legacyUserLevels: on,
    parameters: {},
  }));
  await state.load(true);
  parameters.boot(
    parameterSet,
    ({ type }) => type.initial,
    {},
    () => {},
  );
  const announced: (readonly Variable<unknown>[])[] = [];
  onTestFinished(announcements.subscribe((changed) => announced.push(changed)));
  const saving = new Saving({
    product: builtInProduct,
    parameters,
    state,
    time,
    announcements,
    conditions,
    firmware: { release: '2.4.4' },
  });
  const onDisk = () => decodeDocument(storage.documents.get(document) ?? new Uint8Array());
  return { storage, clock, parameters, conditions, state, saving, onDisk, announced };
}

function setGain(parameters: Parameters, gain: number) {
  parameters.change((change) => change.set(Gain, gain));
}

test('nothing counts as stored before it is on disk', async () => {
  const { storage, clock, parameters, saving, state, onDisk } = await saved();
  const writing = storage.delay(document);
  clock.advance(120_000);
  setGain(parameters, 60);
  const save = saving.storeWorking();
  await promisesSettled();
  expect(parameters.stored(Gain)).toBe(5);
  expect(state.content.saved.time).toBe('12:00');
  writing.open();
  await save;
  expect(parameters.stored(Gain)).toBe(60);
  expect(state.content.saved).toEqual({ date: '15.01.2026', time: '12:02' });
  expect(onDisk().parameters).toMatchObject({ Gain: 60 });
});

test('a write during a save does not count as stored', async () => {
  const { storage, parameters, saving, onDisk } = await saved();
  const writing = storage.delay(document);
  setGain(parameters, 60);
  const save = saving.storeWorking();
  await promisesSettled();
  setGain(parameters, 61);
  writing.open();
  await save;
  expect(parameters.stored(Gain)).toBe(60);
  expect(onDisk().parameters).toMatchObject({ Gain: 60 });
  expect(parameters.read(Gain)).toBe(61);
});

test('saves take turns, and the later one stores what is working when its turn comes', async () => {
  const { storage, parameters, saving, onDisk } = await saved();
  const writing = storage.delay(document);
  storage.begun.length = 0;
  const first = saving.storeWorking();
  await promisesSettled();
  const second = saving.storeWorking();
  await promisesSettled();
  expect(storage.begun).toEqual([document]);
  setGain(parameters, 62);
  writing.open();
  await Promise.all([first, second]);
  expect(storage.begun).toEqual([document, document]);
  expect(onDisk().parameters).toMatchObject({ Gain: 62 });
});

test('all callers during a save share the next one, and none gets a response before it is on disk', async () => {
  const { storage, parameters, saving, onDisk } = await saved();
  const writing = storage.delay(document);
  const first = saving.storeWorking();
  await promisesSettled();
  storage.begun.length = 0;
  const stored: number[] = [];
  const others = [62, 63, 64].map(async (gain) => {
    setGain(parameters, gain);
    await saving.storeWorking();
    stored.push(parameters.stored(Gain));
    expect(onDisk().parameters).toMatchObject({ Gain: 64 });
  });
  await promisesSettled();
  expect(stored).toEqual([]);
  writing.open();
  await Promise.all([first, ...others]);
  expect(stored).toEqual([64, 64, 64]);
  expect(storage.begun).toEqual([document]);
});

test('a shared save that fails fails for all, and the next one works', async () => {
  const { storage, parameters, saving, onDisk } = await saved();
  storage.fail(document, { once: true });
  setGain(parameters, 63);
  const shared = [saving.storeWorking(), saving.storeWorking()];
  const outcomes = await Promise.allSettled(shared);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(saving.saves.of('failed')).toBe(1);
  await saving.storeWorking();
  expect(onDisk().parameters).toMatchObject({ Gain: 63 });
});

test('a save that changes nothing writes nothing, and its time counts until power is lost', async () => {
  const { storage, clock, parameters, saving, state } = await saved();
  setGain(parameters, 60);
  await saving.storeWorking();
  const { saved: before } = state.content;
  storage.begun.length = 0;
  clock.advance(3_600_000);
  setGain(parameters, 61);
  setGain(parameters, 60);
  await saving.storeWorking();
  await saving.restore(parameters.layer('stored'));
  expect(storage.begun).toEqual([]);
  expect(state.content.saved).toEqual(before);
  expect(saving.saves.of('stored')).toBe(3);
  const { lastSave } = state;
  expect(lastSave.time).not.toBe(before.time);
  await state.load(false);
  expect(state.lastSave).toEqual(lastSave);
});

test.each([
  ['is gone', (storage: FaultyStorage) => storage.documents.delete(document)],
  ['has other bytes', (storage: FaultyStorage) => storage.documents.set(document, Buffer.from('{}'))],
  ['cannot be read', (storage: FaultyStorage) => storage.failRead(document)],
])('a save that changes nothing writes the document if it %s', async (_, harm) => {
  const { storage, saving } = await saved();
  await saving.storeWorking();
  storage.begun.length = 0;
  harm(storage);
  await saving.storeWorking();
  expect(storage.begun).toEqual([document]);
});

test('a save that changes nothing writes after one that failed', async () => {
  const { storage, parameters, saving, onDisk } = await saved();
  await saving.storeWorking();
  setGain(parameters, 60);
  storage.fail(document, { once: true });
  await expect(saving.storeWorking()).rejects.toThrow('could not be stored');
  setGain(parameters, 5);
  storage.begun.length = 0;
  await saving.storeWorking();
  expect(storage.begun).toEqual([document]);
  expect(onDisk().parameters).toMatchObject({ Gain: 5 });
});

test('a save that fails returns status 3 with the reason, changes nothing, and the next one works', async () => {
  const { storage, clock, parameters, saving, state, onDisk } = await saved();
  setGain(parameters, 60);
  await saving.storeWorking();
  setGain(parameters, 61);
  clock.advance(3_600_000);
  const before = { content: state.content, document: onDisk() };
  storage.fail(document);
  await expect(saving.storeWorking()).rejects.toMatchObject({
    status: 'internalServerError',
    message: expect.stringContaining('ENOSPC: no space left on device'),
  });
  expect(parameters.read(Gain)).toBe(61);
  expect(parameters.stored(Gain)).toBe(60);
  expect({ content: state.content, document: onDisk() }).toEqual(before);
  storage.recover();
  await saving.storeWorking();
  expect(parameters.stored(Gain)).toBe(61);
  expect(onDisk()).toMatchObject({ saved: { time: '13:00' }, parameters: { Gain: 61 } });
});

test('a save behind one that fails is stored all the same', async () => {
  const { storage, parameters, saving } = await saved();
  storage.fail(document, { once: true });
  setGain(parameters, 63);
  const failing = saving.storeWorking();
  await Promise.resolve();
  const next = saving.storeWorking();
  await expect(failing).rejects.toThrow('could not be stored');
  await next;
  expect(parameters.stored(Gain)).toBe(63);
});

test('defaults that cannot be stored leave working values and switches alone', async () => {
  const { storage, parameters, saving, state } = await saved();
  setGain(parameters, 60);
  storage.fail(document);
  await expect(saving.loadFactoryDefaults()).rejects.toMatchObject({ status: 'internalServerError' });
  await expect(saving.loadApplicationDefaults()).rejects.toMatchObject({ status: 'internalServerError' });
  expect(parameters.read(Gain)).toBe(60);
  expect(state.content.userLevels).toEqual(on);
});

test('factory defaults are working and stored at once, with the switches', async () => {
  const { parameters, saving, state, onDisk } = await saved();
  parameters.change((change) => change.set(Gain, 60).set(Threshold, 7).set(Target, [1, 2, 3, 4]));
  await saving.storeWorking();
  await saving.loadFactoryDefaults();
  expect(parameters.layer('working')).toEqual(parameters.layer('factory'));
  expect(parameters.layer('stored')).toEqual(parameters.layer('factory'));
  expect(onDisk()).toMatchObject({ parameters: parameters.layer('factory'), userLevels: off });
  expect(state.content.legacyUserLevels).toEqual(off);
});

test('application defaults reset the application section, and nothing of the device, working or stored', async () => {
  const { parameters, saving, state, onDisk } = await saved();
  parameters.change((change) => change.set(Gain, 60).set(Threshold, 7));
  await saving.storeWorking();
  parameters.change((change) => change.set(Gain, 61).set(Threshold, 8));
  await saving.loadApplicationDefaults();
  expect(parameters.layer('working')).toMatchObject({ Gain: 61, Threshold: 200 });
  expect(parameters.layer('stored')).toMatchObject({ Gain: 60, Threshold: 200 });
  expect(onDisk()).toMatchObject({ parameters: { Gain: 60, Threshold: 200 } });
  expect(state.content.userLevels).toEqual(on);
});

test.each(['storeWorking', 'loadFactoryDefaults', 'loadApplicationDefaults'] as const)(
  '%s sets date and time of the last save and announces them',
  async (save) => {
    const { clock, saving, state, announced } = await saved();
    clock.advance(24 * 3_600_000 + 60_000);
    await saving[save]();
    expect(state.content.saved).toEqual({ date: '16.01.2026', time: '12:01' });
    expect(announced).toContainEqual([LastParaDate, LastParaTime]);
  },
);

test('the fault of unreadable parameters ends with the first save that succeeds', async () => {
  const { storage, conditions, saving } = await saved();
  conditions.set('DS_RecoverableError', unreadableParameters, true);
  storage.fail(document);
  await expect(saving.storeWorking()).rejects.toThrow('could not be stored');
  expect(conditions.deviceStatus).toBe(7);
  storage.recover();
  await saving.storeWorking();
  expect(conditions.deviceStatus).toBe(3);
});

test('a switch and a save at the same time both end up on disk', async () => {
  const { storage, parameters, saving, state, onDisk } = await saved();
  const writing = storage.delay(document);
  setGain(parameters, 60);
  const save = saving.storeWorking();
  const update = state.update((content) => ({ ...content, webserverEnabled: false }));
  await promisesSettled();
  writing.open();
  await Promise.all([save, update]);
  expect(onDisk()).toMatchObject({ webserverEnabled: false, parameters: { Gain: 60 } });
});
