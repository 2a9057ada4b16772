import { isObject } from '@azimuth/model';

/** Times that an archive remembers of a scanner: milliseconds since 1970-01-01 UTC. */
export interface ArchiveTimes {
  /** Since when it is to be archived. */
  readonly since: number;
  /** When it was last archived completely; undefined if it never was. */
  readonly archived: number | undefined;
}

/** Returns the text of the file that remembers. */
export function timesText(times: ReadonlyMap<string, ArchiveTimes>): Uint8Array {
  return Buffer.from(`${JSON.stringify(Object.fromEntries(times), undefined, 2)}\n`);
}

/** Reads the file. What is damaged is not known: then the scanner is archived once more. */
export function timesIn(file: Uint8Array | undefined): ReadonlyMap<string, ArchiveTimes> {
  const json = file === undefined ? undefined : parsed(file);
  return new Map(
    Object.entries(isObject(json) ? json : {}).flatMap(([name, entry]) => {
      if (!isObject(entry) || typeof entry.since !== 'number') return [];
      const archived = typeof entry.archived === 'number' ? entry.archived : undefined;
      return [[name, { since: entry.since, archived }] as const];
    }),
  );
}

/** Returns what is known of these scanners. New ones begin now. */
export function withScanners(
  times: ReadonlyMap<string, ArchiveTimes>,
  scanners: readonly { readonly name: string }[],
  now: number,
): ReadonlyMap<string, ArchiveTimes> {
  return new Map(
    scanners.map(({ name }) => [name, times.get(name) ?? { since: now, archived: undefined }] as const),
  );
}

function parsed(file: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(file).toString('utf8'));
  } catch {
    return undefined;
  }
}
