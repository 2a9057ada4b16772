import { allParameters, type Edition, type Provenance } from '@azimuth/model';
import type { ValueSet } from './parameters.js';

/** The parameter set of a scanner that nobody has touched. */
export function factorySet(edition: Edition, provenance: Provenance): ValueSet {
  const stored = allParameters.filter((variable) => variable.isIn(edition));
  return Object.fromEntries(stored.map((variable) => [variable.name, variable.factoryValue(provenance)]));
}
