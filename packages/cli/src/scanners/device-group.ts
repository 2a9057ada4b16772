import type { DevicesContent } from './devices-content.js';
import type { Target } from './target.js';

/**
 * Returns the group of a scanner: the first one of the devices file that lists it, else the part of its name before the
 * last slash; empty if it is in none, or has no name.
 */
export function groupOf(
  { label, url }: Pick<Target, 'label' | 'url'>,
  groups: DevicesContent['groups'],
): string {
  for (const [group, members] of groups) if (members.includes(label)) return group;
  return addressOf(label) === addressOf(url) ? '' : label.slice(0, Math.max(0, label.lastIndexOf('/')));
}

/** An address as people type it, with or without its scheme. */
function addressOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/\/$/, '');
}
