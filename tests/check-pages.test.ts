import { readFileSync } from 'node:fs';
import { casePages } from '@azimuth/check/reference';
import { expect, test } from 'vitest';

test.each(Object.entries(casePages()))(
  'docs/%s is made from the cases of azimuth check (otherwise: npm run build && npm run docs)',
  (name, text) => {
    expect(readFileSync(new URL(`../docs/${name}`, import.meta.url), 'utf8')).toBe(text);
  },
);
