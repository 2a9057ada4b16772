import type { ModuleRegistry } from './module-registry.js';

export type Testing = typeof import('@azimuth/testing');

/** Returns what starts scanners of a registry. @throws what its modules throw if they do not load */
export async function testingOf(registry: ModuleRegistry): Promise<Testing> {
  const testing = await registry.import('@azimuth/testing');
  if (!isTesting(testing)) throw new Error('@azimuth/testing exports no startScanner');
  return testing;
}

function isTesting(module: object): module is Testing {
  return 'startScanner' in module;
}
