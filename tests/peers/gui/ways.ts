import type { ScannerProcess } from '@azimuth/test-support/scanner-process';
import { gone, refusedWith } from './gui.js';
import { guiCommand } from './gui-command.js';

/** How a person gets to the GUI of a scanner. */
export interface Way {
  readonly name: string;
  /** The URL of the pages. `host` is the address of the scanner. */
  to(scanner: ScannerProcess, host?: string): Promise<string>;
  /** What a browser reports while the scanner is away. */
  readonly away: readonly RegExp[];
}

/**
 * A browser does not tell a page why a WebSocket failed, so the page asks with a plain GET. A scanner that has come back in
 * between answers that its path is a WebSocket.
 */
const backAgain = /status of 426 .*\/x\/events\)$/;

const atScanner: Way = {
  name: 'at the scanner',
  to: ({ httpPort }, host = '127.0.0.1') => Promise.resolve(`http://${host}:${httpPort}/`),
  away: [...gone, backAgain],
};

const byCommand: Way = {
  name: 'through azimuth gui',
  to: ({ httpPort }, host = '127.0.0.1') => guiCommand(`http://${host}:${httpPort}`),
  // The server of the command answers for a scanner that is away.
  away: [...gone, backAgain, refusedWith(502)],
};

/** What is done to a scanner ends with the same words on each way. */
export const ways: readonly Way[] = [atScanner, byCommand];
