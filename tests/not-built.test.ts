import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { anybody, Device, MemoryStorage, SystemRandom, VirtualClock, virtualIdentity } from '@azimuth/device';
import { beforeAll, describe, expect, it } from 'vitest';
import { missingOf, notBuiltPage } from '../scripts/not-built.mjs';

const page = readFileSync(fileURLToPath(new URL('../docs/not-built.md', import.meta.url)), 'utf8');
const log = { info: () => undefined, warn: () => undefined, error: () => undefined };

describe('what is not built', () => {
  let device: Device;
  let missing: ReturnType<typeof missingOf>;

  beforeAll(async () => {
    device = await Device.open({
      identity: virtualIdentity('1'),
      clock: new VirtualClock(),
      random: new SystemRandom(),
      storage: new MemoryStorage(),
      host: { log, temperature: () => 20 },
      core: { start() {}, stop() {} },
      variant: 'full',
      bootMilliseconds: 0,
    });
    missing = missingOf(device);
  });

  it('is listed in the docs', () => {
    expect(page).toBe(notBuiltPage(missing));
  });

  it('includes parameters without an effect and none with one', () => {
    const names = missing.withoutEffect.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['enableCloningPlug']));
    for (const name of [
      'EtherIPAddress',
      'LEDEnable',
      'PerformanceProfileNumber',
      'LocationName',
      'PortConfiguration',
      'TSCRole',
      'EtherAuxEnabled',
      'fields',
      'rosDomainId',
      'rosNamespace',
    ]) {
      expect(names).not.toContain(name);
    }
  });

  it('returns status 3 with the reason if it is a method', async () => {
    for (const endpoint of missing.unbuilt) {
      if (endpoint.kind !== 'method') continue;
      const request = endpoint.hasRequest ? endpoint.request.initial : undefined;
      await expect(async () => device.call(endpoint, request, { level: 'Service' })).rejects.toMatchObject({
        code: 3,
        reason: expect.stringContaining(`${endpoint.name} is not built yet`),
      });
    }
  });

  it('is still refused below its user level', async () => {
    for (const endpoint of missing.unbuilt) {
      if (endpoint.kind !== 'method' || endpoint.facts.level === 'open') continue;
      await expect(async () => device.call(endpoint, {}, anybody)).rejects.toMatchObject({ code: 4 });
    }
  });

  it('has its default if it is a variable', () => {
    for (const endpoint of missing.unbuilt) {
      if (endpoint.kind === 'variable') expect(device.read(endpoint)).toEqual(endpoint.type.initial);
    }
  });
});
