import { ScannerError, UnreachableError } from '@azimuth/client';
import { effect } from '@preact/signals';
import { expect, test, vi } from 'vitest';
import { type Reading, Readings } from '../../src/connection/readings.js';

/** What a variable is known as when it is no longer waited for. */
function readingOf(readings: Readings, name: string): Promise<Reading> {
  return new Promise((resolve) => {
    effect(() => {
      const reading = readings.of(name).value;
      if (reading.state !== 'waiting') resolve(reading);
    });
  });
}

test('a variable is read once, however many ask for it', async () => {
  const read = vi.fn((name: string) => Promise.resolve(`value of ${name}`));
  const readings = new Readings(read);
  expect(readings.of('LocationName')).toBe(readings.of('LocationName'));
  expect(await readingOf(readings, 'LocationName')).toEqual({
    state: 'known',
    value: 'value of LocationName',
  });
  expect(read).toHaveBeenCalledTimes(1);
});

test('an announced value replaces the one that was read', async () => {
  const readings = new Readings(() => Promise.resolve('old'));
  await readingOf(readings, 'LocationName');
  readings.update({ LocationName: 'new', nobodyAsked: 1 });
  expect(readings.valueOf('LocationName')).toBe('new');
});

test('an answer that was overtaken by an announcement is not taken', async () => {
  let respond = (_value: string) => {};
  const readings = new Readings(
    () =>
      new Promise((resolve) => {
        respond = resolve;
      }),
  );
  readings.of('LocationName');
  readings.update({ LocationName: 'new' });
  respond('old');
  await Promise.resolve();
  await Promise.resolve();
  expect(readings.valueOf('LocationName')).toBe('new');
  readings.readAll();
  respond('newest');
  await vi.waitFor(() => expect(readings.valueOf('LocationName')).toBe('newest'));
});

test('a variable that the scanner does not have is missing', async () => {
  const readings = new Readings((name) => Promise.reject(new ScannerError(name, 5, 'Not Found', '')));
  expect(await readingOf(readings, 'rosDomainId')).toEqual({ state: 'missing' });
});

test('a value stays while the scanner is gone, and is read again afterwards', async () => {
  let respond = () => Promise.resolve('first');
  const readings = new Readings(() => respond());
  await readingOf(readings, 'LocationName');
  respond = () => Promise.reject(new UnreachableError('http://scanner', 'no route', undefined));
  readings.readAll();
  // It has failed by then.
  await new Promise(setImmediate);
  expect(readings.of('LocationName').value).toEqual({ state: 'known', value: 'first' });
  // But what the scanner says that it does not have is gone.
  respond = () => Promise.reject(new ScannerError('LocationName', 5, 'Not Found', ''));
  readings.readAll();
  await new Promise(setImmediate);
  expect(readings.of('LocationName').value).toEqual({ state: 'missing' });
  respond = () => Promise.resolve('second');
  readings.readAll();
  await vi.waitFor(() => expect(readings.valueOf('LocationName')).toBe('second'));
});

test('at most four reads are under way at the same time', async () => {
  let underWay = 0;
  let most = 0;
  const readings = new Readings(async (name) => {
    underWay++;
    most = Math.max(most, underWay);
    await Promise.resolve();
    underWay--;
    return name;
  });
  const names = Array.from({ length: 20 }, (_, index) => `variable ${index}`);
  await Promise.all(names.map((name) => readingOf(readings, name)));
  expect(most).toBe(4);
});

test('polling reads again only what is shown', async () => {
  const read = vi.fn((name: string) => Promise.resolve(name));
  const readings = new Readings(read);
  const hide = effect(() => {
    readings.of('shown').value;
  });
  readings.of('hidden');
  await vi.waitFor(() => expect(read).toHaveBeenCalledTimes(2));
  readings.readShown();
  await vi.waitFor(() => expect(read.mock.calls.map(([name]) => name)).toEqual(['shown', 'hidden', 'shown']));
  hide();
  readings.readShown();
  await Promise.resolve();
  expect(read).toHaveBeenCalledTimes(3);
});

test('what was told before anybody asked is there at once, and is not read for it', async () => {
  const read = vi.fn(() => Promise.resolve('read'));
  const readings = new Readings(read);
  readings.begin({ LocationName: 'told' });
  expect(readings.valueOf('LocationName')).toBe('told');
  expect(read).not.toHaveBeenCalled();
  // What is known is newer.
  readings.update({ LocationName: 'announced' });
  readings.begin({ LocationName: 'told' });
  expect(readings.valueOf('LocationName')).toBe('announced');
});

test('what could not be read is read again while it is on the screen', async () => {
  vi.useFakeTimers();
  try {
    let respond = () => Promise.reject<string>(new UnreachableError('http://scanner', 'busy', undefined));
    const readings = new Readings(() => respond());
    const seen: unknown[] = [];
    const end = effect(() => {
      seen.push(readings.of('LocationName').value);
    });
    await vi.advanceTimersByTimeAsync(0);
    expect(seen.at(-1)).toMatchObject({ state: 'failed' });
    respond = () => Promise.resolve('Gate 3');
    await vi.advanceTimersByTimeAsync(3000);
    expect(seen.at(-1)).toEqual({ state: 'known', value: 'Gate 3' });
    end();
  } finally {
    vi.useRealTimers();
  }
});
