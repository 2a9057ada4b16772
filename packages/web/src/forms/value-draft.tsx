import type { Level, Variable } from '@azimuth/model';
import { useSignal } from '@preact/signals';
import { attempt } from '../connection/acts.js';
import type { ScannerLink } from '../connection/scanner-link.js';
import { type RefusedValue, refusalBy, refusalOf } from './refusal.js';

/** A value that a person is changing. */
interface Edited {
  readonly value: unknown;
  /** The working value that it began with. */
  readonly from: unknown;
}

/** A value, or a part of one, while a form changes it: typed text, refusal, and state of the write. */
export interface ValueDraft {
  /** Undefined while nothing is changed. */
  readonly edited: Edited | undefined;
  readonly refusal: RefusedValue | undefined;
  readonly isBusy: boolean;
  readonly edit: (value: unknown) => void;
  readonly cancel: () => void;
  /** Writes a value of the variable, and ends the draft if the scanner accepts it. */
  readonly write: (value: unknown) => Promise<void>;
}

/** Writes a variable. @throws ClientError */
export type WriteVariable = ScannerLink['write'];

/**
 * @param link writes the value
 * @param working the value on the scanner
 * @param level that may write; undefined if nobody may
 */
export function useValueDraft(
  link: { readonly write: WriteVariable },
  variable: Variable<unknown>,
  level: Level | undefined,
  working: unknown,
): ValueDraft {
  const edited = useSignal<Edited | undefined>(undefined);
  const refusal = useSignal<RefusedValue | undefined>(undefined);
  const busy = useSignal(false);
  const change = (to: Edited | undefined) => {
    edited.value = to;
    refusal.value = undefined;
  };
  return {
    edited: edited.value,
    refusal: refusal.value,
    isBusy: busy.value,
    edit: (value) => change({ value, from: edited.peek()?.from ?? working }),
    cancel: () => change(undefined),
    async write(value) {
      refusal.value = refusalBy(variable, value);
      if (refusal.value !== undefined || level === undefined) return;
      const done = await attempt(busy, level, async () => {
        try {
          await link.write(variable.name, value);
        } catch (error) {
          refusal.value = refusalOf(variable.name, error);
          if (refusal.value === undefined) throw error;
        }
      });
      if (done && refusal.value === undefined) change(undefined);
    },
  };
}

/**
 * Returns the properties with which a form writes a draft by Enter, and drops it by Escape.
 * @param value the whole value that is written
 */
export function draftForm({ edited, cancel, write }: ValueDraft, value: () => unknown) {
  return {
    onSubmit: (event: Event) => {
      event.preventDefault();
      if (edited !== undefined) void write(value());
    },
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key === 'Escape' && edited !== undefined) cancel();
    },
  };
}

/** The buttons of a form with a draft. */
export function DraftButtons({ draft }: { draft: ValueDraft }) {
  return (
    <>
      <button type="submit" class="main" disabled={draft.isBusy}>
        Write
      </button>
      <button type="button" onClick={draft.cancel}>
        Cancel
      </button>
    </>
  );
}
