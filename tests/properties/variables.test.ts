import { Device, MemoryStorage, SystemRandom, VirtualClock, virtualIdentity } from '@azimuth/device';
import {
  allVariables,
  BinaryReader,
  BinaryWriter,
  Fault,
  newestRelease,
  oldestRelease,
  type Release,
  TextReader,
  TextWriter,
  type Variable,
} from '@azimuth/model';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { invalidValue } from './invalid-values.js';
import { validValue } from './valid-values.js';

const service = { level: 'Service' } as const;
const log = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** Variables that the device itself keeps apart: a valid value of one may be refused because of another. */
const legacyPorts = ['EtherAuxIPPort', 'EtherHostIPPort'];

async function scannerOf(storage: MemoryStorage, release: Release = newestRelease): Promise<Device> {
  return Device.open({
    identity: virtualIdentity('777'),
    clock: new VirtualClock(),
    random: new SystemRandom(),
    storage,
    host: { log, temperature: () => 30 },
    release,
    variant: 'full',
    bootMilliseconds: 0,
  });
}

const edition = { release: newestRelease, variant: 'full' } as const;
const writable = allVariables.filter(
  (variable) => variable.isIn(edition) && variable.facts.write !== undefined,
);

function statusOf(act: () => void): number {
  try {
    act();
    return 0;
  } catch (error) {
    if (error instanceof Fault) return error.code;
    throw error;
  }
}

function bothPortsEqual(values: ReadonlyMap<Variable<unknown>, unknown>): boolean {
  const [a, b] = legacyPorts.map((name) => [...values].find(([variable]) => variable.name === name)?.[1]);
  return a !== undefined && a === b;
}

describe('every variable', () => {
  it('is looked at: there are dozens of them', () => {
    expect(writable.length).toBeGreaterThan(50);
  });

  it.each(writable.map((variable) => [variable.name, variable] as const))(
    '%s accepts any valid value and reads it back equal',
    async (name, variable) => {
      const device = await scannerOf(new MemoryStorage());
      fc.assert(
        fc.property(validValue(variable.type.shape), (value) => {
          fc.pre(!(legacyPorts.includes(name) && (value === 2111 || value === 2112)));
          device.write(variable, name, { [name]: value }, service);
          expect(device.read(variable)).toEqual(value);
        }),
        { numRuns: 60 },
      );
    },
  );

  it.each(writable.map((variable) => [variable.name, variable] as const))(
    '%s refuses a mutated value with its status, and keeps the old one',
    async (name, variable) => {
      const device = await scannerOf(new MemoryStorage());
      const before = device.read(variable);
      fc.assert(
        fc.property(invalidValue(variable.type.shape), ({ json, status }) => {
          expect(statusOf(() => device.write(variable, name, { [name]: json }, service))).toBe(status);
          expect(device.read(variable)).toEqual(before);
        }),
        { numRuns: 100 },
      );
    },
  );

  it('survives a save and a restart, together with all others', async () => {
    const values = fc.record(
      Object.fromEntries(writable.map((variable) => [variable.name, validValue(variable.type.shape)])),
    );
    await fc.assert(
      fc.asyncProperty(values, async (chosen) => {
        const wanted = new Map(writable.map((variable) => [variable, chosen[variable.name]]));
        fc.pre(!bothPortsEqual(wanted));
        const storage = new MemoryStorage();
        const first = await scannerOf(storage);
        first.parameters.change((change) => {
          for (const [variable, value] of wanted) change.set(variable, value);
        });
        await first.saving.storeWorking();
        await first.close();
        const second = await scannerOf(storage);
        for (const [variable, value] of wanted) expect(second.read(variable), variable.name).toEqual(value);
      }),
      { numRuns: 25 },
    );
  });

  it.each(allVariables.map((variable) => [variable.name, variable] as const))(
    '%s round-trips through the legacy text and binary encodings',
    (name, { type }) => {
      fc.assert(
        fc.property(validValue(type.shape), (value) => {
          const text = new TextWriter();
          type.toText(value, text);
          const reader = new TextReader(text.take());
          expect(type.fromText(reader, name)).toEqual(value);
          expect(reader.atEnd).toBe(true);

          const binary = new BinaryWriter();
          type.toBinary(value, binary);
          const bytes = new BinaryReader(binary.take());
          expect(type.fromBinary(bytes, name)).toEqual(value);
          expect(bytes.remaining).toBe(0);
        }),
        { numRuns: 60 },
      );
    },
  );

  it('of the oldest release survives an update to the newest', async () => {
    const storage = new MemoryStorage();
    const old = await scannerOf(storage, oldestRelease);
    const [location] = writable.filter(({ name }) => name === 'LocationName');
    if (location === undefined) throw new Error('LocationName is gone');
    old.write(location, 'LocationName', { LocationName: 'Gate 3' }, service);
    await old.saving.storeWorking();
    await old.close();
    expect((await scannerOf(storage)).read(location)).toBe('Gate 3');
  });
});
