import { isObject } from '@azimuth/model';
import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { takeFirstStates } from './first-states.js';
import { Gateway } from './gateway.js';
import { ScannerLink } from './scanner-link.js';

/** The scanner that serves this page, without a slash at its end. A proxy may serve it under a path. */
const ownUrl = new URL('.', location.href).href.replace(/\/$/, '');

/** In the address of a page that follows its scanner to a new address. */
const movedMark = 'moved';

const links: Signal<readonly ScannerLink[]> = signal([]);
const chosen = signal(0);

/**
 * Finds the scanners of this page: those of `azimuth gui`, which says so in the address, or the one that serves the page.
 * Called once, before anything is shown.
 */
export async function findScanners(): Promise<void> {
  const asked = new URLSearchParams(location.search);
  if (asked.has('scanners')) {
    links.value = await scannersOfGateway();
    void takeFirstStates(ownUrl, links.value);
    return;
  }
  const link = new ScannerLink(ownUrl);
  if (asked.has(movedMark)) {
    // Not again after a reload.
    history.replaceState(history.state, '', `${ownUrl}/${location.hash}`);
    link.addressMove.arrived(ownUrl);
  }
  links.value = [link];
}

/** The same page of a scanner at its new address, which says there that it has come with the scanner. */
export function pageAfterMove(to: string): string {
  return `${to}/?${movedMark}${location.hash}`;
}

async function scannersOfGateway(): Promise<readonly ScannerLink[]> {
  const response = await fetch('scanners');
  const listed: unknown = await response.json();
  return (Array.isArray(listed) ? listed : []).filter(isObject).map(({ path, url }) => {
    const reached = `${ownUrl}${String(path)}`;
    return new ScannerLink(reached, {
      shownUrl: String(url),
      gateway: new Gateway(reached),
      isFirstTold: true,
    });
  });
}

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
