const script = 'text/javascript; charset=utf-8';

/** What the page under `/docs` is made of beside itself, with media types; nothing else of its folders is served. */
export const browserFiles = {
  'page.js': script,
  'entry.js': script,
  'element.js': script,
  'scanner.js': script,
  'page.css': 'text/css; charset=utf-8',
  'icon.svg': 'image/svg+xml',
  'interface.json': 'application/json',
  // Of @noble/hashes: loaded when somebody logs in, as pages without TLS have no WebCrypto.
  'hashes/sha2.js': script,
  'hashes/_md.js': script,
  'hashes/_u64.js': script,
  'hashes/utils.js': script,
} as const;

export type BrowserFile = keyof typeof browserFiles;

export function isBrowserFile(name: string): name is BrowserFile {
  return Object.hasOwn(browserFiles, name);
}
