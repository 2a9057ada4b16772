import type { Site } from '@azimuth/http';

/** A scanner that the pages of `azimuth gui` show. */
export interface ShownScanner {
  /** Without a slash at its end. */
  readonly url: string;
  /** Its name in the devices file, or its address as it was typed. No two have the same. */
  readonly name: string;
  /** Empty if it is in none. */
  readonly group: string;
}

/** What `azimuth gui` knows of its scanners. */
export interface GuiSite extends Site {
  /** A scanner is at another address from now on. @param index its number in the paths */
  moved(index: number, url: string): Promise<void>;
  close(): Promise<void>;
}

/** Path of a scanner, below the address of the page. */
export function pathOf(index: number): string {
  return `/s/${index}`;
}
