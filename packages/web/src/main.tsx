import { render } from 'preact';
import { findScanners } from './connection/current.js';
import { App } from './shell/app.js';
import { apply } from './shell/theme.js';
import './style/tokens.css';
import './style/base.css';
import './style/shell.css';
import './style/pages.css';

apply();
await findScanners();
const place = document.getElementById('app');
if (place !== null) {
  place.replaceChildren();
  render(<App />, place);
}
