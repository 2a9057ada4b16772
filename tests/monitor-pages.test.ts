import { readFileSync } from 'node:fs';
import { monitorDeployment, monitorPages } from '@azimuth/monitor/reference';
import { expect, test } from 'vitest';

const generated = [
  ...Object.entries(monitorPages()).map(([name, text]) => [`docs/${name}`, text] as const),
  ...Object.entries(monitorDeployment()).map(([name, text]) => [`deploy/${name}`, text] as const),
];

test.each(generated)(
  '%s is made from the metrics and conditions of azimuth monitor (otherwise: npm run docs)',
  (path, text) => {
    expect(readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')).toBe(text);
  },
);
