import type { Page } from 'playwright-core';

/** Marks the controls of the page, and notes which of them have had the focus, and which showed it by no outline. */
const watchFocus = `(() => {
  const selector = 'a[href], button, input, select, textarea, summary, [tabindex]';
  const main = document.querySelector('main');
  const isReachable = (one) => one.tabIndex >= 0 && !one.disabled && one.checkVisibility({ visibilityProperty: true }) &&
    one.closest('[inert]') === null && (one.type !== 'radio' || one.checked);
  const isFirst = window.walk === undefined;
  window.walk = { left: new Set([...main.querySelectorAll(selector)].filter(isReachable)), unseen: new Set() };
  if (isFirst) document.addEventListener('focusin', ({ target }) => {
    window.walk.left.delete(target);
    const { outlineStyle } = getComputedStyle(target);
    if (target.tabIndex >= 0 && outlineStyle === 'none') window.walk.unseen.add(target);
  });
  main.focus();
  return window.walk.left.size;
})()`;

/** A control is told by its own tag, without what is in it. */
const told = `(() => {
  const tell = (what) => (one) => what + ' ' + one.cloneNode().outerHTML.slice(0, 160);
  // What has gone in the meantime cannot be reached.
  return [
    ...[...window.walk.left].filter((one) => one.isConnected && one.checkVisibility()).map(tell('Tab does not reach')),
    ...[...window.walk.unseen].map(tell('no outline shows the focus of')),
  ];
})()`;

/** Presses before it looks again. */
const pressedAtOnce = 20;

/** Returns the controls of a page that Tab does not reach, or that do not show that they have the focus, a line each. */
export async function controlsOutOfReach(page: Page): Promise<readonly string[]> {
  const count = Number(await page.evaluate(watchFocus));
  // A value that comes late may bring further controls. The focus goes through all that is around the page once, too.
  const most = 2 * count + 100;
  for (let pressed = 0; pressed < most; pressed += pressedAtOnce) {
    for (let press = 0; press < pressedAtOnce; press++) await page.keyboard.press('Tab');
    if (Number(await page.evaluate('window.walk.left.size')) === 0) break;
  }
  const found: unknown = await page.evaluate(told);
  if (!Array.isArray(found)) throw new Error('the walk gave no list');
  return found.map(String);
}
