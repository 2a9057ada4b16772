import type { StepContext } from '../steps/step-context.js';

/** What all cases of a run share. */
export type RunContext = Omit<StepContext, 'saved' | 'closeAtEnd' | 'changing'>;
