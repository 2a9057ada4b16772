import type { ServerResponse } from 'node:http';
import { type Content, isGuiPath, pathOf, respondNotFound, sendGui } from '@azimuth/http';
import { allFiles, extensionPrefix } from '@azimuth/model';
import { restPath } from '../rest/rest-interface.js';
import { type BrowserFile, isBrowserFile, sendOwnBrowserFile, sendPage } from './docs.js';

/**
 * Returns true if this is a page, or a part of one, that is the same for all scanners: the GUI and the documentation,
 * without their data.
 */
export function isOwnPage(path: string): boolean {
  if (path.startsWith('/docs')) return path === '/docs' || documentationFileAt(path) !== undefined;
  return isGuiPath(path);
}

/**
 * Sends a page from the files of this program, in place of the page of a scanner elsewhere.
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

/** The description of the interface belongs to one scanner, and is data. */
function documentationFileAt(path: string): BrowserFile | undefined {
  const [, name = ''] = /^\/docs\/(.+)$/s.exec(path) ?? [];
  return isBrowserFile(name) && name !== 'interface.json' ? name : undefined;
}

const json = { mediaType: 'application/json' };
const text = { mediaType: 'text/plain; charset=utf-8' };
const metrics = { mediaType: 'text/plain; version=0.0.4; charset=utf-8' };

/** Names of all files that scanners of some release transfer, and of the point cloud. */
const files = new Map([
  ...allFiles.map(({ name }) => [`${restPath}${name}`, name.replaceAll(/[^\w.-]+/g, '-')] as const),
  ['/cloud.pcd', 'cloud.pcd'],
]);

const interfacePaths = [restPath, `/${extensionPrefix}`];
const documentPaths = new Set([
  '/healthz',
  '/openapi.json',
  '/asyncapi.json',
  '/docs/interface.json',
  '/data',
]);

/**
 * Returns the content type of a scanner's response for this target, beside the pages that are the same for all
 * scanners. A port in front of scanners of unknown origin sends this type to its clients, not the type that the scanner
 * states.
 */
export function contentAt(target: string): Content {
  const path = pathOf(target);
  const fileName = files.get(path);
  if (fileName !== undefined) return { mediaType: 'application/octet-stream', fileName };
  if (path === '/metrics') return metrics;
  const isInterface = documentPaths.has(path) || interfacePaths.some((prefix) => path.startsWith(prefix));
  return isInterface ? json : text;
}
