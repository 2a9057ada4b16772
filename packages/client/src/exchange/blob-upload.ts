import { maxUploadResponseBytes } from '../limits.js';
import { BodyTooLong } from './exchange.js';
import type { Fetch } from './fetch-exchange.js';

/**
 * Returns a fetch for a request whose body is a Blob, which reports the number of bytes that are sent. In browsers,
 * only XMLHttpRequest can report this. Undefined on platforms without it.
 * @param onSent called with the number of bytes so far
 */
export function blobUpload(onSent: (bytes: number) => void): Fetch | undefined {
  if (typeof XMLHttpRequest === 'undefined') return undefined;
  return (url, { method = 'PUT', headers, body, signal }) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      request.open(method, url);
      new Headers(headers).forEach((value, name) => {
        request.setRequestHeader(name, value);
      });
      request.upload.onprogress = ({ loaded }) => onSent(loaded);
      request.onprogress = ({ loaded }) => {
        if (loaded <= maxUploadResponseBytes) return;
        reject(new BodyTooLong(maxUploadResponseBytes));
        request.abort();
      };
      request.onload = () => {
        // XMLHttpRequest follows redirects by itself. A scanner sends none.
        if (request.responseURL === url) resolve(fetchResponse(request));
        else reject(new TypeError('the request was redirected'));
      };
      request.onerror = () => reject(new TypeError('the connection was lost'));
      request.onabort = () => reject(signal?.reason);
      signal?.addEventListener('abort', () => request.abort());
      request.send(body instanceof Blob ? body : null);
    });
}

function fetchResponse(request: XMLHttpRequest): Response {
  const headers = new Headers();
  for (const line of request.getAllResponseHeaders().split('\r\n')) {
    const colon = line.indexOf(':');
    if (colon > 0) headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  return new Response(request.responseText, { status: request.status, headers });
}
