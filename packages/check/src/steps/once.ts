import { performRequest, type RequestStep } from './request.js';
import { NotTestable, type StepContext } from './step-context.js';

/**
 * Steps that many cases need before their own, and that take long: they are done once in a run, before the first of these cases.
 * What they save is there for all of them. What they change is put back before the next case that does not need it: they are for
 * stages that reset the scanner.
 */
export interface OnceStep {
  readonly kind: 'once';
  /** Name of what is prepared. */
  readonly name: string;
  readonly steps: readonly RequestStep[];
}

export function once(name: string, steps: readonly RequestStep[]): OnceStep {
  return { kind: 'once', name, steps };
}

/** What was prepared in each run, by its name: the values that were saved; undefined if that has failed. */
const preparedIn = new WeakMap<StepContext['http'], Map<string, ReadonlyMap<string, unknown> | undefined>>();

/** @throws what a step throws, the first time; NotTestable in later cases if it has thrown */
export async function performOnce({ name, steps }: OnceStep, context: StepContext): Promise<void> {
  const prepared =
    preparedIn.get(context.http) ?? new Map<string, ReadonlyMap<string, unknown> | undefined>();
  preparedIn.set(context.http, prepared);
  if (!prepared.has(name)) {
    prepared.set(name, undefined);
    const saved = new Map<string, unknown>();
    for (const step of steps) await performRequest(step, { ...context, saved });
    prepared.set(name, saved);
  }
  const saved = prepared.get(name);
  if (saved === undefined) throw new NotTestable(`${name} could not be prepared`);
  for (const [key, value] of saved) context.saved.set(key, value);
}
