import type { StoredParameters } from '../connection/stored-parameters.js';

type Stored = Pick<StoredParameters, 'state' | 'unsaved'>;

/** Why it is not known what is unsaved. */
export function unknownWords({ state }: Pick<Stored, 'state'>): string {
  return state.value === 'untold'
    ? 'This scanner does not tell which ones there are.'
    : 'Which ones there are is still being compared.';
}

/** What a list without any unsaved parameter says. */
export function savedWords(stored: Stored): string {
  if (stored.unsaved.value !== undefined) return 'Everything is saved.';
  return stored.state.value === 'untold'
    ? 'This scanner does not tell what is unsaved.'
    : 'Comparing with the stored parameters …';
}
