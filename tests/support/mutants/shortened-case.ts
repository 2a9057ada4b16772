import type { ConformanceCase } from '@azimuth/check';
import type { KnownInterface } from '@azimuth/model';

type Step = ConformanceCase['steps'][number];

/** Seconds in which a scanner on virtual time reaches another speed. It has no motor that must be waited for. */
const settling = 3;

/**
 * Returns a case that is quicker to prove. A proof has one scanner for each case.
 *
 * - A preparation for many cases has only what this one needs: what is done with the names of the case, and calls of methods. All
 *   of it would take half a second each time.
 * - A step that takes telegrams until they are right ends after 3 s of the scanner's clock. With a fault they are never right, and
 *   30 s of the finest profile are more than two million beams.
 */
export function shortened(one: ConformanceCase, known: KnownInterface): ConformanceCase {
  const { names = [] } = one;
  const isNeeded = (path: string) =>
    names.length === 0 || names.includes(path) || known.method(path) !== undefined;
  return { ...one, steps: one.steps.map((step) => shortenedStep(step, isNeeded)) };
}

function shortenedStep(step: Step, isNeeded: (path: string) => boolean): Step {
  if (step.kind === 'once') return { ...step, steps: step.steps.filter(({ path }) => isNeeded(path)) };
  if (step.kind !== 'sample' || step.within === undefined) return step;
  return { ...step, within: Math.min(step.within, settling) };
}
