import { FaultyStorage } from '@azimuth/test-support/faulty-storage';
import { SeededRandom } from '@azimuth/test-support/seeded-random';
import { describe, expect, test } from 'vitest';
import { encrypted, longestBackup } from '../../src/backup-restore/backup-file.js';
import { altered } from '../backup-restore/files.js';
import { endsAndSample, withBitFlipped } from '../samples.js';
import { MemoryPlug, PlugScanner, plugOf } from './plug-scanner.js';

/** A plug with a handmade file in the right format. */
async function alteredPlug(alter: Parameters<typeof altered>[1]): Promise<MemoryPlug> {
  const { file } = await plugOf('Gate 3');
  return new MemoryPlug(altered(Buffer.from(file ?? []), alter));
}

async function encryptedPlug(): Promise<MemoryPlug> {
  const { file } = await plugOf('Gate 3');
  return new MemoryPlug(await encrypted(file ?? new Uint8Array(), 'x', new SeededRandom()));
}

describe('a plug whose parameters cannot be adopted', () => {
  test.each([
    [
      'of another device type',
      () => alteredPlug((file) => Object.assign(file, { 'device identification': 'other' })),
      /device identification/,
    ],
    [
      'of a newer release',
      () => alteredPlug((file) => Object.assign(file, { version: '9.0.0.0R' })),
      /^version/,
    ],
    ['with a value out of range', () => alteredPlug((file) => setValue(file, 'LEDEnable', 7)), /^LEDEnable/],
    ['with an unknown parameter', () => alteredPlug((file) => rename(file, 'LEDEnable', 'a\nb')), /^a\?b/],
    [
      'with values that contradict each other',
      () =>
        alteredPlug((file) => {
          setValue(file, 'EtherAuxIPPort', 2200);
          setValue(file, 'EtherHostIPPort', 2200);
        }),
      /Ether(Aux|Host)IPPort/,
    ],
    ['that is encrypted', encryptedPlug, /encrypted/],
  ] as const)('%s is refused, reported and never overwritten', async (_, make, reason) => {
    const plug = await make();
    const before = Buffer.from(plug.file ?? []);
    const scanner = await PlugScanner.open('22222222', plug);
    expect(scanner.name).not.toBe('Gate 3');
    expect(scanner.plug).toMatchObject({ State: 'REFUSED', Fault: expect.stringMatching(reason) });
    expect(scanner.deviceStatus).toBe(5);
    expect(scanner.warnings).toEqual([
      expect.stringMatching(/^The parameters on the system plug cannot be taken: /),
    ]);
    await scanner.set('saved').save();
    await scanner.test.reboot();
    expect(scanner.name).toBe('saved');
    expect(before.equals(plug.file ?? new Uint8Array())).toBe(true);
    await scanner.plugIn(undefined);
    expect(scanner.deviceStatus).toBe(3);
  });

  test('is adopted after an update that makes this possible', async () => {
    const storage = new FaultyStorage();
    const plug = await plugOf('Gate 3');
    const old = await PlugScanner.open('22222222', plug, { storage, release: '2.3.1' });
    expect(old.plug).toMatchObject({ State: 'REFUSED', SerialNumber: '11111111' });
    const updated = await PlugScanner.open('22222222', plug, {
      storage: storage.afterPowerCut(),
      release: '2.4.4',
    });
    expect(updated.name).toBe('Gate 3');
  });

  test('of an older release is no such plug: it is converted, and adopted', async () => {
    const plug = new MemoryPlug();
    const old = await PlugScanner.open('11111111', plug, { release: '2.3.1' });
    await old.set('Gate 3').save();
    const scanner = await PlugScanner.open('22222222', plug);
    expect(scanner.name).toBe('Gate 3');
    expect(plug.text).toContain('2.4.4.0R');
  });

  test('of the other variant is no such plug, either', async () => {
    const plug = await plugOf('Gate 3');
    const scanner = await PlugScanner.open('22222222', plug, { variant: 'basic' });
    expect(scanner.name).toBe('Gate 3');
  });
});

describe('a damaged file on a plug', () => {
  test.each([
    ['empty', async () => new Uint8Array()],
    ['of other content', async () => Buffer.from('hello')],
    ['of other JSON', async () => Buffer.from('{"parameters":[]}')],
    ['of bytes', async () => Uint8Array.of(0xff, 0xfe, 0)],
    ['too long', async () => Buffer.alloc(longestBackup + 1, 0x20)],
    ['edited by hand', async () => Buffer.from((await plugOf('Gate 3')).text.replace('Gate 3', 'Gate 4'))],
  ])('%s, is set aside and reported; the next save gives the plug a new one', async (_, make) => {
    const plug = new MemoryPlug(await make());
    const scanner = await PlugScanner.open('22222222', plug);
    expect(scanner.plug).toEqual({
      State: 'DUE',
      SerialNumber: '',
      Fault: expect.stringMatching(/renamed to aside-1$/),
    });
    expect(scanner.deviceStatus).toBe(5);
    expect(plug.aside).toHaveLength(1);
    expect(plug.file).toBeUndefined();
    await scanner.set('saved').save();
    expect(plug.text).toContain('"saved"');
    expect(scanner.plug).toEqual({ State: 'CURRENT', SerialNumber: '22222222', Fault: '' });
    expect(scanner.deviceStatus).toBe(3);
  });

  test('that came in later is set aside by the next save', async () => {
    const scanner = await PlugScanner.open('22222222');
    const plug = new MemoryPlug(Buffer.from('hello'));
    await scanner.plugIn(plug);
    expect(scanner.plug).toMatchObject({ State: 'DUE', Fault: expect.stringMatching(/not valid JSON/) });
    expect(plug.aside).toEqual([]);
    await scanner.save();
    expect(plug.aside).toHaveLength(1);
    expect(scanner.plug.State).toBe('CURRENT');
  });

  test('is not overwritten if it cannot be set aside', async () => {
    const plug = new MemoryPlug(Buffer.from('hello'));
    plug.failure = {
      write: Object.assign(new Error('EROFS: read-only file system, rename'), { code: 'EROFS' }),
    };
    const scanner = await PlugScanner.open('22222222', plug);
    await scanner.save();
    expect(plug.text).toBe('hello');
    expect(scanner.plug).toMatchObject({ State: 'FAILED', Fault: 'EROFS: read-only file system' });
  });

  test('cut off or with a flipped bit anywhere is never adopted, and never stops the scanner', async () => {
    const { file = new Uint8Array() } = await plugOf('Gate 3');
    for (const length of endsAndSample(file.length, 10, 997)) {
      await expectNotAdopted(file.subarray(0, length));
    }
    for (const bit of endsAndSample(file.length * 8, 16, 6143))
      await expectNotAdopted(withBitFlipped(file, bit));
  });
});

async function expectNotAdopted(file: Uint8Array): Promise<void> {
  const plug = new MemoryPlug(file);
  const scanner = await PlugScanner.open('22222222', plug);
  expect(scanner.name).not.toBe('Gate 3');
  expect(plug.aside).toHaveLength(1);
}

interface Entries {
  readonly parameters: readonly { readonly parameters: { name: string; value: unknown }[] }[];
}

function entry({ parameters }: Entries, name: string): { name: string; value: unknown } {
  const found = parameters.flatMap((group) => group.parameters).find((each) => each.name === name);
  if (found === undefined) throw new Error(`no ${name}`);
  return found;
}

function setValue(file: Entries, name: string, value: unknown): void {
  entry(file, name).value = value;
}

function rename(file: Entries, name: string, to: string): void {
  entry(file, name).name = to;
}
