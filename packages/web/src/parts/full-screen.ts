import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { linkTo, replaceAddress } from './route.js';

/** Names in the address that ask for full screen: our own, and those of the maker's pages. */
const names = ['fullscreen', 'fullscreen_mode', 'scanview_fullscreen'] as const;

const isOn: Signal<boolean> = signal(isAsked(location));

/** True if the live view has the whole window, without navigation. */
export const isFullScreen: ReadonlySignal<boolean> = isOn;

addEventListener('fullscreenchange', () => {
  if (document.fullscreenElement === null) left();
});

/** True if an address asks for full screen: `/?fullscreen#/live`, `#/live?fullscreen`, `/#/?fullscreen=`. */
export function isAsked({ search, hash }: { readonly search: string; readonly hash: string }): boolean {
  const [, ofPage = ''] = hash.split('?');
  return [search, ofPage].some((query) => names.some((name) => new URLSearchParams(query).has(name)));
}

/** Gives the live view the whole screen, or at least the whole window if the browser does not give the screen. */
export function enterFullScreen(): void {
  isOn.value = true;
  const url = new URL(location.href);
  url.hash = `${linkTo('live')}?${names[0]}`;
  replaceAddress(url);
  document.documentElement.requestFullscreen?.().catch(() => undefined);
}

export function leaveFullScreen(): void {
  if (document.fullscreenElement !== null) void document.exitFullscreen();
  left();
}

function left(): void {
  if (!isOn.peek()) return;
  isOn.value = false;
  const url = new URL(location.href);
  for (const name of names) if (url.searchParams.has(name)) url.searchParams.delete(name);
  url.hash = linkTo('live');
  replaceAddress(url);
}
