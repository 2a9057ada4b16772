import { type ReadonlySignal, signal } from '@preact/signals';

const key = 'theme';
export type Theme = 'system' | 'light' | 'dark';

function isTheme(word: string | null): word is Theme {
  return word === 'system' || word === 'light' || word === 'dark';
}

const kept = localStorage.getItem(key);
const chosen = signal<Theme>(isTheme(kept) ? kept : 'system');

export const theme: ReadonlySignal<Theme> = chosen;

export function setTheme(wanted: Theme): void {
  chosen.value = wanted;
  localStorage.setItem(key, wanted);
  apply();
}

/** Applies the theme that was chosen in this browser. */
export function apply(): void {
  document.documentElement.dataset.theme = chosen.peek();
}
