import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';

/** In the address, between the path of a scanner and the page: `#/s/3/@/live`. Without it, no scanner is named. */
const mark = '/@/';

const whole: Signal<string> = signal('');

/** Follows the address of the page from now on. Called once, before anything is shown. */
export function followAddress(): void {
  takeOver();
  addEventListener('hashchange', takeOver);
}

function takeOver(): void {
  whole.value = location.hash.replace(/^#/, '').replace(/\?.*$/, '');
}

const parts = computed(() => {
  const at = whole.value.indexOf(mark);
  return at < 0
    ? { scanner: '', page: whole.value.replace(/^\//, '') }
    : { scanner: whole.value.slice(0, at), page: whole.value.slice(at + mark.length) };
});

/** The part of the address that names the page, and the selection on it. */
export const route: ReadonlySignal<string> = computed(() => parts.value.page);

/** The path of the scanner that the address names, one of several: `/s/3`; empty if it names none. */
export const scannerInRoute: ReadonlySignal<string> = computed(() => parts.value.scanner);

/** The address of a page, of the same scanner. */
export function linkTo(page: string, rest = ''): string {
  return linkToScanner(scannerInRoute.value, rest === '' ? page : `${page}/${rest}`);
}

/**
 * The address of a page of one of several scanners.
 * @param path of the scanner; empty for a page of all of them
 * @param at the page, and the selection on it
 */
export function linkToScanner(path: string, at: string): string {
  return path === '' ? `#/${at}` : `#${path}${mark}${at}`;
}

/** Replaces the address without an entry in the history of the browser. */
export function replaceAddress(url: URL): void {
  history.replaceState(history.state, '', url);
  takeOver();
}

export function go(page: string, rest = ''): void {
  location.hash = linkTo(page, rest);
}

/** Shows a scanner in place of the present address: going back leads to the one before. */
export function nameScanner(path: string): void {
  history.replaceState(history.state, '', linkToScanner(path, route.peek()));
  takeOver();
}
