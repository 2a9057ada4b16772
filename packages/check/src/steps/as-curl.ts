import type { HttpRequest } from '../wire/http-exchange.js';

/** Longest body in a command, in characters. */
const longestBody = 2000;

/**
 * Returns a command for a terminal that sends a request by hand. The `header` of a login is left out, because it works only
 * once: `azimuth call` and `azimuth set` make a new one.
 */
export function asCurl(
  origin: string,
  { method, path, headers, body }: HttpRequest,
  hasLogin: boolean,
): string {
  // The check does not verify certificates either: that of a new scanner is its own.
  const options = origin.startsWith('https:') ? '-sik' : '-si';
  const words = ['curl', options, ...(method === 'GET' ? [] : ['-X', method])];
  for (const [name, value] of Object.entries(headers)) {
    const isSecret = /token|authorization/i.test(name);
    words.push('-H', quoted(`${name}: ${isSecret ? '…' : value}`));
  }
  if (typeof body === 'string')
    words.push('--data-raw', quoted(shortened(hasLogin ? withoutLogin(body) : body)));
  words.push(quoted(`${origin}${path}`));
  return words.join(' ');
}

function withoutLogin(body: string): string {
  return body.replace(/"header":\{[^}]*\}/, '"header":{…}');
}

function shortened(text: string): string {
  return text.length <= longestBody ? text : `${text.slice(0, longestBody)}…`;
}

/** Returns a text in single quotes, as shells read it. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
