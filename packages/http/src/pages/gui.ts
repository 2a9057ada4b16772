import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { extname, join } from 'node:path';
import { respondNotFound, respondText } from '../responses.js';
import { type CompressedFile, compressedFile, PromiseCache, sendCompressedFile } from './compressed-file.js';

/** The path of files whose names contain a hash of their content. */
const assetsPath = '/assets/';

/** Other files, by their paths. */
const pages: Readonly<Record<string, string>> = { '/': 'index.html', '/icon.svg': 'icon.svg' };

/** Types of files that the GUI consists of. Other files in its folder, such as source maps, are not served. */
const mediaTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.json': 'application/json',
  '.woff2': 'font/woff2',
};

interface GuiFile {
  readonly file: CompressedFile;
  readonly headers: Readonly<Record<'Content-Type' | 'Cache-Control' | 'ETag', string>>;
}

type Gui = ReadonlyMap<string, GuiFile>;

/**
 * All files by their paths, for each folder. They are read together at the first request, so that they fit each other.
 */
const guis = new PromiseCache<Gui>();

/** Returns true if the GUI might have a file at this path. */
export function isGuiPath(path: string): boolean {
  return Object.hasOwn(pages, path) || path.startsWith(assetsPath);
}

/**
 * Returns where a browser finds the pages of several scanners, with the rest of its query; undefined if it is there.
 * The address is relative: a proxy may serve the pages under a path.
 * @param url of the request
 */
export function pagesOfSeveral(url: string): string | undefined {
  const [path, query = ''] = url.split('?', 2);
  const asked = new URLSearchParams(query);
  if (path !== '/' || asked.has('scanners')) return undefined;
  return asked.size === 0 ? '?scanners' : `?scanners&${asked}`;
}

/** Returns the path under which a request is counted. A client may request any file of the assets. */
export function countedPath(path: string): string {
  return path.startsWith(assetsPath) ? assetsPath : path;
}

/**
 * Sends a file of the GUI. HTTP 404 with text if there is none of this name, 503 if the GUI is not built.
 * @param folder with `index.html`, `icon.svg` and the folder `assets`
 * @throws errors of the file system. The next request tries again.
 */
export async function sendGui(folder: string, path: string, response: ServerResponse): Promise<void> {
  const gui = await builtIn(folder);
  if (gui === undefined) {
    respondText(response, 503, notBuilt(folder));
    return;
  }
  const found = gui.get(path);
  if (found === undefined) {
    respondNotFound(response, path);
    return;
  }
  const { file, headers } = found;
  if (isKnown(response.req.headers['if-none-match'], headers.ETag)) {
    response.appendHeader('Vary', 'Accept-Encoding');
    response.writeHead(304, { ETag: headers.ETag, 'Cache-Control': headers['Cache-Control'] });
    response.end();
    return;
  }
  sendCompressedFile(response, file, headers);
}

function notBuilt(folder: string): string {
  return [
    'The pages for browsers are not built, or not completely, in',
    folder,
    'Run `npm run build`, then load this page again. `azimuth serve --no-gui` does not serve them.',
    'The interface is under /api/. It is described at /docs.',
  ].join('\n');
}

/** Returns undefined if the folder has no index page. */
async function builtIn(folder: string): Promise<Gui | undefined> {
  try {
    return await guis.of(folder, () => filesIn(folder));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Files are read one after the other: the process may have few file descriptors left. */
async function filesIn(folder: string): Promise<Gui> {
  const gui = new Map<string, GuiFile>();
  for (const [path, name] of Object.entries(pages)) {
    gui.set(path, await read(join(folder, name), 'no-cache'));
  }
  for (const entry of await readdir(join(folder, 'assets'), { withFileTypes: true })) {
    if (!entry.isFile() || mediaTypes[extname(entry.name)] === undefined) continue;
    const file = await read(join(folder, 'assets', entry.name), 'public, max-age=31536000, immutable');
    gui.set(assetsPath + entry.name, file);
  }
  return gui;
}

async function read(path: string, cacheControl: string): Promise<GuiFile> {
  const plain = await readFile(path);
  const hash = createHash('sha256').update(plain).digest('base64url').slice(0, 22);
  return {
    file: await compressedFile(plain),
    headers: {
      'Content-Type': mediaTypes[extname(path)] ?? 'application/octet-stream',
      'Cache-Control': cacheControl,
      // Weak: the content is the same, compressed or not.
      ETag: `W/"${hash}"`,
    },
  };
}

/** Returns true if the client has the content already (RFC 9110, 13.1.2). */
function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const weak = (tag: string) => tag.trim().replace(/^W\//, '');
  return ifNoneMatch.trim() === '*' || ifNoneMatch.split(',').some((tag) => weak(tag) === weak(etag));
}
