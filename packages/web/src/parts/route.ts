import { type ReadonlySignal, signal } from '@preact/signals';

const path = signal(current());

function current(): string {
  return location.hash.replace(/^#\/?/, '');
}

addEventListener('hashchange', () => {
  path.value = current();
});

/** The part of the address after `#/`: the page, and the selection on it. */
export const route: ReadonlySignal<string> = path;

/** The address of a page. */
export function linkTo(page: string, rest = ''): string {
  return `#/${page}${rest === '' ? '' : `/${rest}`}`;
}

export function go(page: string, rest = ''): void {
  location.hash = linkTo(page, rest);
}
