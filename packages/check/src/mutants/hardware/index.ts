import type { Mutant } from '../mutant.js';
import { contaminationMutants } from './contamination.js';
import { mergeMutants } from './merge.js';
import { portMutants } from './ports.js';
import { stateMutants } from './states.js';
import { temperatureMutants } from './temperature.js';
import { timeMutants } from './time.js';

/** Mutants of ports, contamination, temperature, clock, recorder, and of failures of the core and the hardware. */
export const hardwareMutants: readonly Mutant[] = [
  ...portMutants,
  ...contaminationMutants,
  ...temperatureMutants,
  ...timeMutants,
  ...stateMutants,
  ...mergeMutants,
];
