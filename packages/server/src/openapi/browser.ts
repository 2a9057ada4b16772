import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type BrowserFile, browserFiles } from './browser-files.js';
import { page, script } from './page.js';

const swaggerFolder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

/** Nothing from elsewhere, no inline script. Styles are files too, but for those that Swagger UI puts on elements. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "style-src-attr 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Sends the page that shows the description. */
export function sendPage(response: ServerResponse): void {
  send(response, 'text/html; charset=utf-8', Buffer.from(page));
}

/** Sends a file that the page names: the one of ours, or one of Swagger UI's. */
export async function sendBrowserFile(name: BrowserFile, response: ServerResponse): Promise<void> {
  const body = name === 'start.js' ? Buffer.from(script) : await readFile(join(swaggerFolder, name));
  send(response, browserFiles[name], body);
}

function send(response: ServerResponse, type: string, body: Buffer): void {
  response.writeHead(200, {
    'Content-Type': type,
    'Content-Length': body.length,
    'Content-Security-Policy': contentSecurityPolicy,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
  });
  response.end(body);
}
