import type { ServerResponse } from 'node:http';
import { isGuiPath, replyNothing, sendGui } from '@azimuth/http';
import { type BrowserFile, isBrowserFile, sendOwnBrowserFile, sendPage } from './docs.js';

/** Is this a page, or a part of one, which is the same for all scanners? The GUI and the documentation, without their data. */
export function isOwnPage(path: string): boolean {
  return isGuiPath(path) || path === '/docs' || documentationFileAt(path) !== undefined;
}

/**
 * Sends a page from the files of this program, in place of what a scanner elsewhere would send.
 * @param gui the folder of the GUI; undefined for none
 */
export async function sendOwnPage(
  gui: string | undefined,
  path: string,
  response: ServerResponse,
): Promise<void> {
  const file = documentationFileAt(path);
  if (file !== undefined) await sendOwnBrowserFile(file, response);
  else if (path === '/docs') await sendPage(response);
  else if (gui !== undefined) await sendGui(gui, path, response);
  else replyNothing(response, path);
}

/** The description of the interface is of one scanner, and data. */
function documentationFileAt(path: string): BrowserFile | undefined {
  const [, name = ''] = /^\/docs\/(.+)$/s.exec(path) ?? [];
  return isBrowserFile(name) && name !== 'interface.json' ? name : undefined;
}
