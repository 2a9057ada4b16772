import { render } from 'preact';
import { findScanners } from './connection/current.js';
import { App } from './shell/app.js';
import { applyTheme } from './shell/navigation.js';
import './style/tokens.css';
import './style/base.css';
import './style/shell.css';
import './style/pages.css';

/** Functions of newer browsers that the pages need. index.html names the oldest browsers that have all of them. */
const needed: readonly (readonly [string, () => boolean])[] = [
  ['light-dark() in styles', () => CSS.supports('color', 'light-dark(#000, #fff)')],
  [':has() in styles', () => CSS.supports('selector(:has(a))')],
  ['AbortSignal.any', () => 'any' in AbortSignal],
  ['Array.prototype.toSorted', () => 'toSorted' in Array.prototype],
  ['WebSocket', () => 'WebSocket' in globalThis],
];

/** Names of the functions that this browser lacks. */
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
