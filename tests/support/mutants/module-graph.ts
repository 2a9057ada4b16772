import { fileURLToPath } from 'node:url';
import { compiledSource } from './compiled-module.js';
import { sourceOf } from './source-places.js';

/** Modules that import a module, by its file. */
type Importers = ReadonlyMap<string, ReadonlySet<string>>;

let known: Promise<Importers> | undefined;

/**
 * Returns the modules of a scanner in which something may be otherwise if a module is: itself, and all that import it, also by
 * others. They are absolute paths.
 */
export async function dependentsOf(file: string): Promise<ReadonlySet<string>> {
  known ??= importersFrom('@azimuth/testing');
  const importers = await known;
  const dependents = new Set([file]);
  // The set grows meanwhile, and the loop goes on with what was added.
  for (const dependent of dependents)
    for (const importer of importers.get(dependent) ?? []) dependents.add(importer);
  return dependents;
}

async function importersFrom(specifier: string): Promise<Importers> {
  const first = sourceOf(specifier, fileURLToPath(import.meta.url));
  const found = new Set(first === undefined ? [] : [first]);
  const importers = new Map<string, Set<string>>();
  for (const importer of found) {
    const { sources } = await compiledSource(importer);
    for (const source of sources) {
      found.add(source);
      const of = importers.get(source) ?? new Set();
      importers.set(source, of.add(importer));
    }
  }
  return importers;
}
