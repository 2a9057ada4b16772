import type { Client } from '@azimuth/test-support/client';
import { expectDone } from '@azimuth/test-support/envelope';
import type { JsonObject } from '@azimuth/test-support/json';

const width = 32;

/** Values of several parameters that all tell the same number: a set of two halves is recognised by them. */
export function valuesOf(generation: number): JsonObject {
  const address = [10, generation >> 16, (generation >> 8) & 255, generation & 255];
  return {
    LocationName: String(generation).padStart(width, 'g'),
    EtherIPAddress: address,
    ScanDataEthSettings: { Protocol: 1, IPAddress: address, Port: generation },
    rosFrameId: `frame ${generation}`,
  };
}

/** Writes the values of a generation; nothing is stored by that. */
export async function write(client: Client, generation: number): Promise<void> {
  await Promise.all(
    Object.entries(valuesOf(generation)).map(async ([name, value]) =>
      expectDone(await client.write(name, value)),
    ),
  );
}

/** The generation that a set is of; throws where it is of more than one, or of none. */
export function generationOf(stored: JsonObject): number {
  const generation = Number(String(stored.LocationName).replace(/^g+/, ''));
  for (const [name, value] of Object.entries(valuesOf(generation))) {
    if (JSON.stringify(stored[name]) !== JSON.stringify(value)) {
      throw new Error(`generation ${generation}, but ${name} is ${JSON.stringify(stored[name])}`);
    }
  }
  return generation;
}
