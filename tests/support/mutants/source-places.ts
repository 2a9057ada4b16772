import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ResolverFactory } from 'rolldown/experimental';

/** The clone, with a separator at its end. */
const root = fileURLToPath(new URL('../../..', import.meta.url));

const resolver = new ResolverFactory({
  conditionNames: ['source', 'node', 'import', 'default'],
  extensionAlias: { '.js': ['.ts', '.tsx', '.js'] },
});

/** Returns the absolute path of a file that is named from the root of the repository on. */
export function fileOf(place: string): string {
  return join(root, place);
}

/** Returns the name of a file from the root of the repository on, with slashes. */
export function placeOf(file: string): string {
  return relative(root, file).replaceAll(sep, '/');
}

/** True for the place of a module of our packages: `packages/device/src/device.ts`. */
export function isSourcePlace(place: string): boolean {
  return /^packages\/[a-z-]+\/src\/(?!\.\.\/)(?:[\w-]+\/)*[\w.-]+\.ts$/.test(place);
}

/**
 * Finds the source that a specifier names in a file.
 * @returns its absolute path; undefined for modules of Node and of other packages
 * @throws Error if it names no file
 */
export function sourceOf(specifier: string, importer: string): string | undefined {
  if (specifier.startsWith('node:')) return undefined;
  const { path, error, builtin } = resolver.sync(dirname(importer), specifier);
  if (builtin !== undefined) return undefined;
  if (path === undefined)
    throw new Error(`${placeOf(importer)} imports ${specifier}: ${error ?? 'there is no such file'}`);
  return isSourcePlace(placeOf(path)) ? path : undefined;
}
