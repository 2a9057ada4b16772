import { Fault } from '@azimuth/model';
import { useSignal } from '@preact/signals';

interface RefusedInput {
  readonly typed: unknown;
  readonly reason: string;
  /** The value that the draft has kept. */
  readonly beside: unknown;
}

/**
 * The value that a control of a draft shows. What is typed and is not allowed stays in the control, with the reason, while
 * the draft keeps its value.
 * @param take takes a value over. @throws Fault if it is not allowed
 */
export function useRefusedInput(value: unknown, take: (value: unknown) => void) {
  const refused = useSignal<RefusedInput | undefined>(undefined);
  // An undo, for example, may have given the draft another value meanwhile.
  const wrong = refused.value?.beside === value ? refused.value : undefined;
  return {
    value: wrong === undefined ? value : wrong.typed,
    refusal: wrong && { at: '', reason: wrong.reason },
    onChange: (typed: unknown) => {
      try {
        take(typed);
        refused.value = undefined;
      } catch (error) {
        if (!(error instanceof Fault)) throw error;
        refused.value = { typed, reason: error.reason, beside: value };
      }
    },
  };
}
