import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const packages = fileURLToPath(new URL('../../packages/', import.meta.url));

/** Texts of the sources in a folder of the packages. */
export function sourcesIn(...path: readonly string[]): readonly string[] {
  return readdirSync(join(packages, ...path), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(join(packages, ...path, file), 'utf8'));
}

/** Names of metrics that the sources have. */
export function exportedMetrics(): ReadonlySet<string> {
  return new Set(
    ['fleet', 'cli', 'server', 'http', 'monitor']
      .flatMap((name) => sourcesIn(name, 'src'))
      .flatMap((text) =>
        [...text.matchAll(/'((?:azimuth|process|nodejs)_\w+)'/g)].map(([, name = '']) => name),
      ),
  );
}
