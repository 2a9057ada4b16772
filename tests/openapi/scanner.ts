import { MemoryStorage, SystemRandom, VirtualClock, virtualIdentity } from '@azimuth/device';
import { type Edition, newestRelease, releases, variants } from '@azimuth/model';
import { ScannerService, VirtualHost } from '@azimuth/server';
import { afterAll, beforeAll } from 'vitest';

export const newest: Edition = { release: newestRelease, variant: 'full' };

/** Every release in both variants, each with a name for the test that it has. */
export const editions: readonly (readonly [string, Edition])[] = releases.flatMap((release) =>
  variants.map((variant) => [`${release} ${variant}`, { release, variant }] as const),
);

/** A scanner of this edition in this process, for all tests of a block; answers its address. */
export function scannerOf({ release, variant }: Edition): () => string {
  const quiet = () => {};
  let service: ScannerService | undefined;
  beforeAll(async () => {
    service = await ScannerService.start({
      clock: new VirtualClock(),
      host: new VirtualHost({ info: quiet, warn: quiet, error: quiet }),
      device: {
        identity: virtualIdentity('12345678'),
        random: new SystemRandom(),
        storage: new MemoryStorage(),
        bootMilliseconds: 0,
        release,
        variant,
      },
      web: { host: '127.0.0.1', port: 0, maxConnections: 100 },
    });
  });
  afterAll(() => service?.close());
  return () => `http://127.0.0.1:${service?.ports.http}`;
}

/** What a GET of this address answers, as JSON. */
export async function fetchJson(address: string): Promise<unknown> {
  const json: unknown = await (await fetch(address)).json();
  return json;
}
