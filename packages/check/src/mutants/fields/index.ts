import type { Mutant } from '../mutant.js';
import { definitionMutants } from './definitions.js';
import { detectingMutants } from './detecting.js';

export { distanceMutants } from './distances.js';

/** Mutants of the area `field`. */
export const fieldMutants: readonly Mutant[] = [...definitionMutants, ...detectingMutants];
