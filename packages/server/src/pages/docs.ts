import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type CompressedFile,
  compressedFile,
  nextTurn,
  PromiseCache,
  sendCompressedFile,
} from '@azimuth/http';
import { type Edition, type Product, productOf } from '@azimuth/model';
import { asyncApi } from '@azimuth/model/asyncapi';
import { openApi } from '@azimuth/model/openapi';
import { catalogueOf } from '@azimuth/model/reference';

const ownFolder = fileURLToPath(new URL('../../docs-page', import.meta.url));
const ofHashes = 'hashes/';

const cache = new PromiseCache<CompressedFile>();

/** Numbers of products: two may have the same name. */
const products = new WeakMap<Product, number>();
let productCount = 0;

/** Returns the key of a file whose content depends on the edition. */
function keyOf(name: string, edition: Edition): string {
  const product = productOf(edition);
  const number = products.get(product) ?? productCount++;
  products.set(product, number);
  return `${name} ${number} ${edition.version ?? edition.release} ${edition.variant}`;
}

/** Sends the interactive description of this scanner's interface. */
export function sendPage(response: ServerResponse): Promise<void> {
  return send(response, 'text/html; charset=utf-8', 'index.html', () =>
    readFile(join(ownFolder, 'index.html')),
  );
}

/** Sends a file that the page needs. Its content is generated from the model. */
export function sendBrowserFile(
  name: BrowserFile,
  edition: Edition,
  response: ServerResponse,
): Promise<void> {
  if (name !== 'interface.json') return sendOwnBrowserFile(name, response);
  const key = keyOf(name, edition);
  return send(response, browserFiles[name], key, async () =>
    Buffer.from(JSON.stringify(catalogueOf(edition))),
  );
}

/** Sends a file of the page that is the same for all scanners. */
export function sendOwnBrowserFile(name: BrowserFile, response: ServerResponse): Promise<void> {
  return send(response, browserFiles[name], name, () => readFile(fileOf(name)));
}

function fileOf(name: BrowserFile): string {
  if (!name.startsWith(ofHashes)) return join(ownFolder, name);
  const hashesFolder = dirname(createRequire(import.meta.url).resolve('@noble/hashes/sha2.js'));
  return join(hashesFolder, name.slice(ofHashes.length));
}

async function send(
  response: ServerResponse,
  type: string,
  key: string,
  make: () => Promise<Buffer>,
): Promise<void> {
  const file = await cache.of(key, async () => compressedFile(await make()));
  sendCompressedFile(response, file, { 'Content-Type': type, 'Cache-Control': 'no-cache' });
}

const script = 'text/javascript; charset=utf-8';

/** Files of the page under `/docs`, with media types. Other files of their folders are not served. */
export const browserFiles = {
  'page.js': script,
  'entry.js': script,
  'element.js': script,
  'scanner.js': script,
  'page.css': 'text/css; charset=utf-8',
  'icon.svg': 'image/svg+xml',
  'interface.json': 'application/json',
  // Scripts of @noble/hashes. Loaded at login, because pages without TLS have no WebCrypto.
  'hashes/sha2.js': script,
  'hashes/_md.js': script,
  'hashes/_u64.js': script,
  'hashes/utils.js': script,
} as const;

export type BrowserFile = keyof typeof browserFiles;

export function isBrowserFile(name: string): name is BrowserFile {
  return Object.hasOwn(browserFiles, name);
}

/** Documents that describe an edition for tools, with what makes them. */
const documents = { 'openapi.json': openApi, 'asyncapi.json': asyncApi } as const;

/** Sends a description of this edition. It is made and compressed once: thousands of scanners may share a process. */
export function sendDocument(
  name: keyof typeof documents,
  edition: Edition,
  response: ServerResponse,
): Promise<void> {
  return send(response, 'application/json', keyOf(name, edition), () => documentOf(name, edition));
}

/** Making it and writing it take some 10 ms each, so other clients are served between. */
async function documentOf(name: keyof typeof documents, edition: Edition): Promise<Buffer> {
  await nextTurn();
  const description = documents[name](edition);
  await nextTurn();
  return Buffer.from(JSON.stringify(description));
}
