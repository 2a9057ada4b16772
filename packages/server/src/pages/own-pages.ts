import type { ServerResponse } from 'node:http';
import { type Content, isGuiPath, pathOf, respondNotFound, sendGui } from '@azimuth/http';
import { allFiles, extensionPrefix } from '@azimuth/model';
import { restPath } from '../rest/rest-interface.js';
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
  else respondNotFound(response, path);
}

/** The description of the interface is of one scanner, and data. */
function documentationFileAt(path: string): BrowserFile | undefined {
  const [, name = ''] = /^\/docs\/(.+)$/s.exec(path) ?? [];
  return isBrowserFile(name) && name !== 'interface.json' ? name : undefined;
}

const json = { mediaType: 'application/json' };
const text = { mediaType: 'text/plain; charset=utf-8' };
const metrics = { mediaType: 'text/plain; version=0.0.4; charset=utf-8' };

/** The names of all files that scanners of some release transfer, and of the point cloud. */
const files = new Map([
  ...allFiles.map(({ name }) => [`${restPath}${name}`, name.replaceAll(/[^\w.-]+/g, '-')] as const),
  ['/cloud.pcd', 'cloud.pcd'],
]);

const interfacePaths = [restPath, `/${extensionPrefix}`];
const documentPaths = new Set(['/healthz', '/openapi.json', '/docs/interface.json', '/data']);

/**
 * What a scanner answers at this target, beside the pages that are the same for all of them. A port in front of scanners that may
 * be anybody's tells its clients this, and not what the scanner says.
 */
export function contentAt(target: string): Content {
  const path = pathOf(target);
  const fileName = files.get(path);
  if (fileName !== undefined) return { mediaType: 'application/octet-stream', fileName };
  if (path === '/metrics') return metrics;
  const isInterface = documentPaths.has(path) || interfacePaths.some((prefix) => path.startsWith(prefix));
  return isInterface ? json : text;
}
