import { type Content, pathOf } from '@azimuth/http';
import { allFiles, extensionPrefix } from '@azimuth/model';
import { restPath } from '../rest/rest-interface.js';

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
