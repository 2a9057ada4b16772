import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MemoryStorage, SystemRandom, VirtualClock } from '@azimuth/device';
import { Device } from '@azimuth/device/device';
import type { Endpoint } from '@azimuth/model';
import { beforeAll, describe, expect, it } from 'vitest';

const packages = fileURLToPath(new URL('../packages', import.meta.url));
const log = { info: () => undefined, warn: () => undefined, error: () => undefined };

describe('the interface', () => {
  let device: Device;
  let served: readonly Endpoint[];
  let words: ReadonlySet<string>;

  beforeAll(async () => {
    device = await Device.open({
      identity: { serialNumber: '1' },
      clock: new VirtualClock(),
      random: new SystemRandom(),
      storage: new MemoryStorage(),
      hardware: { log, temperature: () => 20 },
      core: { start() {}, stop() {} },
      variant: 'full',
    });
    served = [...new Set(device.served.endpoints.values())];
    words = identifiersInCode();
  });

  it('has a feature behind each method and each variable that is not stored', () => {
    expect(withoutFeature(served, device.features)).toEqual([]);
  });

  it('has code that uses each parameter that can have more than one value', () => {
    expect(withoutEffect(served, words)).toEqual([]);
  });

  it('without features would have nothing behind its methods and computed variables', () => {
    const names = withoutFeature(served, {});
    expect(names).toEqual(expect.arrayContaining(['WriteEeprom', 'DeviceStatus']));
    expect(names).not.toContain('LocationName');
  });

  it('without code would have parameters that nothing uses', () => {
    const names = withoutEffect(served, new Set());
    expect(names).toEqual(expect.arrayContaining(['LocationName', 'enableCloningPlug', 'rosDomainId']));
    expect(names).not.toContain('DeviceStatus');
  });
});

/** The methods that no feature performs, and the variables that no feature computes and that are no parameters. */
function withoutFeature(served: readonly Endpoint[], features: Partial<Device['features']>): string[] {
  const parts = Object.values(features);
  const behind = new Set<unknown>([
    ...parts.flatMap((part) =>
      'computed' in part ? (part.computed?.map(({ variable }) => variable) ?? []) : [],
    ),
    ...parts.flatMap((part) => ('methods' in part ? (part.methods?.map(({ method }) => method) ?? []) : [])),
  ]);
  return served.filter((each) => !behind.has(each) && !isParameter(each)).map(({ name }) => name);
}

/** The parameters whose names are not among these words. */
function withoutEffect(served: readonly Endpoint[], words: ReadonlySet<string>): string[] {
  return served
    .filter((each) => isParameter(each) && !isFixed(each) && !words.has(each.name))
    .map(({ name }) => name);
}

/** A parameter with one value has nothing to decide. */
function isFixed(endpoint: Endpoint): boolean {
  if (endpoint.kind !== 'variable') return false;
  const { shape } = endpoint.type;
  return shape.kind === 'enumeration' && Object.values(shape.values).length === 1;
}

function isParameter(endpoint: Endpoint): boolean {
  return endpoint.kind === 'variable' && endpoint.stored;
}

/** All words in the code of the scanner, without comments: a parameter has an effect only if its name is among them. */
function identifiersInCode(): ReadonlySet<string> {
  const words = new Set<string>();
  for (const name of ['device', 'server', 'simulation']) {
    const folder = join(packages, name, 'src');
    for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      if (!file.endsWith('.ts')) continue;
      const code = readFileSync(join(folder, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');
      for (const [word] of code.matchAll(/\w+/g)) words.add(word);
    }
  }
  return words;
}
