import { render } from 'preact';
import { App } from './shell/app.js';
import { apply } from './shell/theme.js';
import './style/tokens.css';
import './style/base.css';
import './style/shell.css';
import './style/pages.css';

apply();
const place = document.getElementById('app');
if (place !== null) {
  place.replaceChildren();
  render(<App />, place);
}
