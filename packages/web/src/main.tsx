import { render } from 'preact';
import { findScanners } from './connection/current.js';
import { App } from './shell/app.js';
import { apply } from './shell/theme.js';
import { missingHere } from './shell/this-browser.js';
import './style/tokens.css';
import './style/base.css';
import './style/shell.css';
import './style/pages.css';

const missing = missingHere();
if (missing.length === 0) await start();
else say(`This browser is too old: it lacks ${missing.join(', ')}.`);

async function start(): Promise<void> {
  apply();
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
