import {
  builtInInterface,
  type Equipment,
  type FileEndpoint,
  type Method,
  type Release,
  type Variable,
  type Variant,
} from '@azimuth/model';
import type { CheckSubject } from './checked-scanner.js';

/** Returns what a scanner of a release and a variant should have, by the model. */
export function editionSubject(release: Release, variant: Variant): CheckSubject {
  const edition: Equipment = { release, variant };
  const { variables, methods, files } = builtInInterface;
  const all: readonly (Variable<unknown> | Method<unknown, unknown> | FileEndpoint)[] = [
    ...variables,
    ...methods,
    ...files,
  ];
  const names = new Set(all.filter((one) => one.isIn(edition)).map(({ name }) => name));
  return { known: builtInInterface, release, variant, has: (name) => names.has(name) };
}
