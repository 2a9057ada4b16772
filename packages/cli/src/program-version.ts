import { readFileSync } from 'node:fs';

/** Returns the version of this program: `0.1.0`. */
export function programVersion(): string {
  const { version }: { version: string } = JSON.parse(
    readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
  );
  return version;
}
