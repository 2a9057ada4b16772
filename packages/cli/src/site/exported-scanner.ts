import {
  factoryParameters,
  type Scanner,
  sameValue,
  storedParameters,
  unsavedIn,
  workingParameters,
} from '@azimuth/client';
import { type KnownInterface, Refusal, releaseOf } from '@azimuth/model';
import type { ExportedScanner } from './site-document.js';
import type { SiteValues } from './site-values.js';

interface ExportedAs {
  /** Its name in the devices file, or its URL. */
  readonly key: string;
  /** True if the file is to have only the parameters that differ from the factory values. */
  readonly changed: boolean;
  /** Gets a remark for the person at the terminal. */
  readonly remark: (text: string) => void;
}

/** Reads the parameters of a scanner for a site file. No login is needed. @throws ClientError */
export async function exportedFrom(
  scanner: Scanner,
  { key, changed, remark }: ExportedAs,
): Promise<ExportedScanner> {
  const { Version } = await scanner.read('DeviceIdent');
  const serial = await scanner.read('SerialNumber');
  const now = await workingParameters(scanner);
  const { known } = scanner.description;
  const stored = await storedParameters(scanner);
  const unsaved = stored === undefined ? [] : unsavedIn(stored, now, known);
  if (unsaved.length > 0) {
    const names = unsaved.map(({ name }) => name).join(', ');
    remark(`exported as it is now, though not saved on the scanner: ${names}`);
  }
  const values = new Map<string, unknown>();
  for (const { name, variable } of known.parameters) {
    const json = now.get(name);
    if (json === undefined) continue;
    try {
      values.set(variable.name, variable.valueFrom(json));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      remark(`left out, because azimuth apply could not write it: ${error.message}`);
    }
  }
  return {
    ...{ key, serial, values },
    // 2.4.4 of 2.4.4.0R; the version of a product has no more than three numbers.
    release: /^\d+\.\d+\.\d+/.exec(Version)?.[0] ?? Version,
    changed: changed ? changedNames(values, Version, known) : undefined,
  };
}

/** Returns the names of the parameters that differ from the factory values of their release. */
function changedNames(values: SiteValues, version: string, known: KnownInterface): ReadonlySet<string> {
  const release = known.scanner?.release ?? releaseOf(version);
  const factory = factoryParameters({ release, variant: 'full' }, known);
  const different = known.parameters.filter(({ name, variable }) => {
    const json = values.get(variable.name);
    return json !== undefined && !sameValue(variable, json, factory.get(name));
  });
  return new Set(different.map(({ variable }) => variable.name));
}
