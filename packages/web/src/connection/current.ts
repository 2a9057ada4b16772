import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { ScannerLink } from './scanner-link.js';

/** The scanner that serves this page, without a slash at its end. A proxy may serve it under a path. */
const ownUrl = new URL('.', location.href).href.replace(/\/$/, '');

const links: Signal<readonly ScannerLink[]> = signal([new ScannerLink(ownUrl)]);
const chosen = signal(0);

/** All scanners of this page, one or many. */
export const scanners: ReadonlySignal<readonly ScannerLink[]> = links;

/** The scanner that the pages show. */
export function scanner(): ScannerLink {
  const link = links.value[chosen.value] ?? links.value[0];
  if (link === undefined) throw new Error('the page has no scanner');
  return link;
}

/** Shows another scanner. */
export function choose(link: ScannerLink): void {
  chosen.value = Math.max(0, links.peek().indexOf(link));
}
