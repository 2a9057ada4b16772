/** The files that the page under `/docs` names, with their media types; nothing else of their package is served. */
export const browserFiles = {
  'start.js': 'text/javascript; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'swagger-ui.css': 'text/css; charset=utf-8',
  'favicon-32x32.png': 'image/png',
} as const;

export type BrowserFile = keyof typeof browserFiles;

export function isBrowserFile(name: string): name is BrowserFile {
  return Object.hasOwn(browserFiles, name);
}
