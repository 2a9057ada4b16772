import { render } from 'preact';
import { findScanners } from './connection/current.js';
import { App } from './shell/app.js';
import { applyTheme } from './shell/navigation.js';
import './style/tokens.css';
import './style/base.css';
import './style/shell.css';
import './style/pages.css';

/** What the pages need, and only newer browsers have. The oldest that have all of it are named in index.html. */
const needed: readonly (readonly [string, () => boolean])[] = [
  ['light-dark() in styles', () => CSS.supports('color', 'light-dark(#000, #fff)')],
  [':has() in styles', () => CSS.supports('selector(:has(a))')],
  ['AbortSignal.any', () => 'any' in AbortSignal],
  ['Array.prototype.toSorted', () => 'toSorted' in Array.prototype],
  ['WebSocket', () => 'WebSocket' in globalThis],
];

/** What this browser lacks of it. */
function missingHere(): readonly string[] {
  return needed.filter(([, isThere]) => !isThere()).map(([name]) => name);
}

const missing = missingHere();
if (missing.length === 0) await start();
else say(`This browser is too old: it lacks ${missing.join(', ')}.`);

async function start(): Promise<void> {
  applyTheme();
  await findScanners();
  const place = document.getElementById('app');
  if (place === null) return;
  place.replaceChildren();
  render(<App />, place);
}

/** In place of the text that the page begins with. */
function say(text: string): void {
  const line = document.getElementById('starting');
  if (line !== null) line.textContent = text;
}
