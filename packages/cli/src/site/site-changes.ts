import { parameterDifferences } from '@azimuth/client';
import type { KnownInterface } from '@azimuth/model';
import { differenceLine } from '../parameters/parameter-source.js';
import { FileMistakes } from '../yaml/yaml-file.js';
import { SiteFile, type SiteScanner } from './site-file.js';

/**
 * Returns a line for each difference between two site files of a scanner: its serial number, its release, its values.
 * @param texts the files before and after
 * @param known what is known of its names
 */
export function siteChanges(
  key: string,
  texts: readonly [before: string, after: string],
  known: KnownInterface,
): readonly string[] {
  try {
    const [before, after] = texts.map((text) => new SiteFile('', text, known).scannerNamed(key));
    const facts = (['serial', 'release'] as const).flatMap((name) =>
      before?.[name] === after?.[name]
        ? []
        : [`${name} = ${before?.[name] ?? '-'} → ${after?.[name] ?? '-'}`],
    );
    const differences = parameterDifferences(valuesIn(before, known), valuesIn(after, known), known);
    return [...facts, ...differences.map(differenceLine)];
  } catch (error) {
    if (!(error instanceof FileMistakes)) throw error;
    // An older program has written the file, or somebody has edited it.
    return texts[0] === texts[1] ? [] : ['what was there before cannot be compared'];
  }
}

/** Returns values by their names in requests. */
function valuesIn(scanner: SiteScanner | undefined, { parameters }: KnownInterface) {
  return new Map(
    parameters.flatMap(({ name, variable }) => {
      const value = scanner?.values.get(variable.name);
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}
