import { isObject } from '@azimuth/model';
import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { Gateway } from './gateway.js';
import { ScannerLink } from './scanner-link.js';

/** The scanner that serves this page, without a slash at its end. A proxy may serve it under a path. */
const ownUrl = () => new URL('.', location.href).href.replace(/\/$/, '');

/** In the address of a page that follows its scanner to a new address. */
const movedMark = 'moved';

const links: Signal<readonly ScannerLink[]> = signal([]);
const chosen = signal(0);

/**
 * Finds the scanners of this page: those of `azimuth gui`, which says so in the address, or the one that serves the page.
 * Called once, before anything is shown.
 */
export async function findScanners(): Promise<void> {
  const query = new URLSearchParams(location.search);
  if (query.has('scanners')) {
    links.value = await scannersOfGateway();
    void readFirstStates(ownUrl(), links.value);
    return;
  }
  const link = new ScannerLink(ownUrl());
  if (query.has(movedMark)) {
    // Not again after a reload.
    history.replaceState(history.state, '', `${ownUrl()}/${location.hash}`);
    link.addressMove.arrived(ownUrl());
  }
  links.value = [link];
}

/**
 * Returns the URL of the same page at the new address of the scanner. The URL marks that the page has followed the
 * scanner.
 */
export function pageAfterMove(to: string): string {
  return `${to}/?${movedMark}${location.hash}`;
}

async function scannersOfGateway(): Promise<readonly ScannerLink[]> {
  const response = await fetch('scanners');
  const listed: unknown = await response.json();
  return (Array.isArray(listed) ? listed : []).filter(isObject).map(({ path, url }) => {
    const reached = `${ownUrl()}${String(path)}`;
    return new ScannerLink(reached, {
      shownUrl: String(url),
      gateway: new Gateway(reached),
      hasFirstState: true,
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

/** The longest line that is read, in characters. */
const longestLine = 100_000;

/**
 * Reads the states of all scanners from the local server of `azimuth gui`, which reads all of them at once. A page has
 * too few connections for that: its list of many scanners would be empty for a while.
 * @param url of the server, without a slash at its end
 */
async function readFirstStates(url: string, links: readonly ScannerLink[]): Promise<void> {
  try {
    const { body } = await fetch(`${url}/states`);
    if (body === null) return;
    let text = '';
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      const lines = (text + value).split('\n');
      text = lines.pop() ?? '';
      for (const line of lines) applyState(line, links);
      if (text.length > longestLine) return;
    }
  } catch {
    // The pages find out by themselves.
  } finally {
    for (const link of links) link.begin({});
  }
}

function applyState(line: string, links: readonly ScannerLink[]): void {
  const state: unknown = JSON.parse(line);
  if (!isObject(state)) return;
  const { values, gone } = state;
  links[Number(state.scanner)]?.begin({
    values: isObject(values) ? values : undefined,
    failure: typeof gone === 'string' ? gone : undefined,
  });
}
