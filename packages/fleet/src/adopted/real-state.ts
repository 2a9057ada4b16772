import type { RealState } from '../events/real-states.js';

/** State of a real scanner, as far as its fleet knows. */
export interface Known {
  readonly state: RealState;
  /** Trouble, for people; undefined if nothing is. */
  readonly trouble?: string | undefined;
  /** LocationName; empty before the first answer. */
  readonly location: string;
  /** Release of the interface; empty before the first answer. */
  readonly release: string;
  readonly deviceStatus?: number | undefined;
}

/** State before the first look. */
export const notAsked: Known = {
  state: 'unreachable',
  trouble: 'it was not asked yet',
  location: '',
  release: '',
};

/** Longest text of a scanner that is shown. */
const longestText = 64;

/** Returns text of a scanner in printable characters, and not more of it than is shown. */
export function shownText(text: string): string {
  return text.slice(0, longestText).replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '?');
}
