import type { Edition } from '@azimuth/model';
import { isFrom, type Level, type Release, type Variant } from '@azimuth/model';
import type { ComponentType } from 'preact';

/** A page of the GUI. Its code is loaded when it is opened first. */
export interface Page {
  /** Its name in the address. */
  readonly id: string;
  readonly title: string;
  readonly section: 'Watch' | 'Set up' | 'Maintain' | 'Simulate';
  /** The key after `g` that opens it. */
  readonly key?: string;
  /** The first release that has what it shows. */
  readonly since?: Release;
  /** The only variant that has what it shows. */
  readonly variant?: Variant;
  /** The lowest level that can do something here; everybody can look by default. */
  readonly level?: Level;
  readonly load: () => Promise<{ readonly default: ComponentType }>;
}

export const pages: readonly Page[] = [
  {
    id: 'overview',
    title: 'Overview',
    section: 'Watch',
    key: 'o',
    load: () => import('../pages/overview.js'),
  },
  { id: 'live', title: 'Live view', section: 'Watch', key: 'l', load: () => import('../pages/live.js') },
  {
    id: 'parameters',
    title: 'Parameters',
    section: 'Set up',
    key: 'p',
    load: () => import('../pages/parameters.js'),
  },
  {
    id: 'changes',
    title: 'This visit',
    section: 'Maintain',
    key: 'h',
    load: () => import('../pages/changes.js'),
  },
];

/** The pages that a scanner of this edition has. Before it is known, all of them. */
export function pagesOf(edition: Edition | undefined): readonly Page[] {
  if (edition === undefined) return pages;
  return pages.filter(
    ({ since, variant }) =>
      (since === undefined || isFrom(edition.release, since)) &&
      (variant === undefined || variant === edition.variant),
  );
}
