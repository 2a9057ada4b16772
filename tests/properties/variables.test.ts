import { MemoryStorage, SystemRandom, VirtualClock } from '@azimuth/device';
import { Device } from '@azimuth/device/device';
import {
  allVariables,
  BinaryReader,
  BinaryWriter,
  device as deviceGroup,
  type Edition,
  newestRelease,
  oldestRelease,
  Refusal,
  releases,
  TextReader,
  TextWriter,
  type Variable,
  variants,
} from '@azimuth/model';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { invalidValue } from './invalid-values.js';
import { validValue } from './valid-values.js';

const service = { level: 'Service' } as const;
const log = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** Variables that the device itself keeps apart: a valid value of one may be refused because of another. */
const legacyPorts = ['EtherAuxIPPort', 'EtherHostIPPort'];

async function scannerOf(storage: MemoryStorage, { release, variant }: Edition = newest): Promise<Device> {
  return Device.open({
    identity: { serialNumber: '777' },
    clock: new VirtualClock(),
    random: new SystemRandom(),
    storage,
    hardware: { log, temperature: () => 30 },
    core: { start() {}, stop() {} },
    release,
    variant,
  });
}

const newest: Edition = { release: newestRelease, variant: 'full' };

/** The newest edition that has a variable; the full one where both have. */
function editionWith(variable: Variable<unknown>): Edition {
  const editions = releases.flatMap((release) =>
    variants.toReversed().map((variant): Edition => ({ release, variant })),
  );
  const found = editions.findLast((edition) => variable.isIn(edition));
  if (found === undefined) throw new Error(`${variable.name} is in no edition`);
  return found;
}

/** Every variable that some edition can write, under each of its names, with an edition that has it. */
const writable = allVariables
  .filter(({ facts }) => facts.write !== undefined)
  .flatMap((variable) =>
    [variable.name, ...(variable.facts.aliases ?? [])].map(
      (name) => [name, variable, editionWith(variable)] as const,
    ),
  );

/** The variables that the newest scanner can write. */
const together = allVariables.filter(
  (variable) => variable.isIn(newest) && variable.facts.write !== undefined,
);

/** Any value that a variable may be given: members that have to go together do. */
function allowedValue({ type, facts }: Variable<unknown>): fc.Arbitrary<unknown> {
  return validValue(type.shape).filter((value) => facts.refuses?.(value, '') === undefined);
}

function statusOf(act: () => void): number {
  try {
    act();
    return 0;
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
}

function bothPortsEqual(values: ReadonlyMap<Variable<unknown>, unknown>): boolean {
  const [a, b] = legacyPorts.map((name) => [...values].find(([variable]) => variable.name === name)?.[1]);
  return a !== undefined && a === b;
}

describe('every variable', () => {
  it('is tested, including those of older releases and aliases', () => {
    expect(writable.length).toBeGreaterThan(50);
    const names = writable.map(([name]) => name);
    expect(names).toEqual(expect.arrayContaining(['EnableColaScan', 'EtherCoLaScanMode']));
  });

  it.each(writable)('%s accepts any valid value and reads it back equal', async (name, variable, edition) => {
    const device = await scannerOf(new MemoryStorage(), edition);
    expect(device.served.endpoints.get(name)).toBe(variable);
    fc.assert(
      fc.property(allowedValue(variable), (value) => {
        fc.pre(!(legacyPorts.includes(name) && (value === 2111 || value === 2112)));
        device.write(variable, value, service);
        expect(device.read(variable)).toEqual(value);
      }),
      { numRuns: 60 },
    );
  });

  it.each(writable)(
    '%s refuses an invalid value with its status and keeps the old value',
    async (_, variable, edition) => {
      const device = await scannerOf(new MemoryStorage(), edition);
      const before = device.read(variable);
      fc.assert(
        fc.property(invalidValue(variable.type.shape), ({ json, status }) => {
          expect(statusOf(() => device.write(variable, json, service))).toBe(status);
          expect(device.read(variable)).toEqual(before);
        }),
        { numRuns: 100 },
      );
    },
  );

  it('keeps its value over a save and a restart together with all others', async () => {
    const values = fc.record(
      Object.fromEntries(together.map((variable) => [variable.name, allowedValue(variable)])),
    );
    await fc.assert(
      fc.asyncProperty(values, async (chosen) => {
        const wanted = new Map(together.map((variable) => [variable, chosen[variable.name]]));
        fc.pre(!bothPortsEqual(wanted));
        const storage = new MemoryStorage();
        const first = await scannerOf(storage);
        first.parameters.change((change) => {
          for (const [variable, value] of wanted) change.set(variable, value);
        });
        await first.features.saving.storeWorking();
        await first.close();
        const second = await scannerOf(storage);
        for (const [variable, value] of wanted) expect(second.read(variable), variable.name).toEqual(value);
      }),
      { numRuns: 25 },
    );
  });

  // Telegrams always have all evaluations, without positions, and names of lamps in eight bytes.
  const otherwiseInTelegrams = ['FieldEvaluationResult', 'LEDState'];

  it.each(
    allVariables
      .filter(({ name }) => !otherwiseInTelegrams.includes(name))
      .map((variable) => [variable.name, variable] as const),
  )('%s round-trips through the legacy text and binary encodings', (name, { type }) => {
    fc.assert(
      fc.property(validValue(type.shape), (value) => {
        const text = new TextWriter();
        type.toText(value, text);
        const reader = new TextReader(text.written());
        expect(type.fromText(reader, name)).toEqual(value);
        expect(reader.atEnd).toBe(true);

        const binary = new BinaryWriter();
        type.toBinary(value, binary);
        const bytes = new BinaryReader(binary.written());
        expect(type.fromBinary(bytes, name)).toEqual(value);
        expect(bytes.remaining).toBe(0);
      }),
      { numRuns: 60 },
    );
  });

  it('of the oldest release keeps its value over an update to the newest', async () => {
    const storage = new MemoryStorage();
    const old = await scannerOf(storage, { release: oldestRelease, variant: 'full' });
    const location = deviceGroup.members.LocationName;
    old.write(location, 'Gate 3', service);
    await old.features.saving.storeWorking();
    await old.close();
    expect((await scannerOf(storage)).read(location)).toBe('Gate 3');
  });
});
