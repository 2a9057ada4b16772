import type { SourceMutant } from '../mutant.js';
import { derivedMutants } from './derived.js';
import { ruleMutants } from './rules.js';
import { sessionMutants } from './sessions.js';

/** Mutants of the area `legacy`. */
export const legacyMutants: readonly SourceMutant[] = [...derivedMutants, ...ruleMutants, ...sessionMutants];
