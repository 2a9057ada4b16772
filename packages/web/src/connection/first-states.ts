import { isObject } from '@azimuth/model';
import type { ScannerLink } from './scanner-link.js';

/** The longest line that is read, in characters. */
const longestLine = 100_000;

/**
 * Takes over how the scanners are from the local server of `azimuth gui`, which asks all of them at once. A page has too few
 * connections for that: its list of many scanners would be empty for a while.
 * @param url of the server, without a slash at its end
 */
export async function takeFirstStates(url: string, links: readonly ScannerLink[]): Promise<void> {
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
      for (const line of lines) take(line, links);
      if (text.length > longestLine) return;
    }
  } catch {
    // The pages find out by themselves.
  } finally {
    for (const link of links) link.begin({});
  }
}

function take(line: string, links: readonly ScannerLink[]): void {
  const state: unknown = JSON.parse(line);
  if (!isObject(state)) return;
  const { values, gone } = state;
  links[Number(state.scanner)]?.begin({
    ...(isObject(values) ? { values } : {}),
    ...(typeof gone === 'string' ? { gone } : {}),
  });
}
