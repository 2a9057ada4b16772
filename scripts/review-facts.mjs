// npm run facts: writes the digests of what the model states of each name (packages/check/src/facts/known-digests.ts). Run it
// when a change of the interface is meant, and look at the names that differ: azimuth check trusts these facts.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { prepare, root } from './prepare.mjs';

prepare('built');
const { changedFacts, factDigests } = await import('../packages/check/dist/facts/index.js');
const lines = Object.entries(factDigests()).map(([name, digest]) => {
  const key = /^[A-Za-z_]\w*$/.test(name) ? name : `'${name}'`;
  return `  ${key}: '${digest}',`;
});
const changed = changedFacts();
writeFileSync(
  join(root, 'packages', 'check', 'src', 'facts', 'known-digests.ts'),
  [
    '/** Digests of the facts of each name, as they were reviewed. `npm run facts` writes them anew. */',
    'export const knownDigests: Readonly<Record<string, string>> = {',
    ...lines,
    '};',
    '',
  ].join('\n'),
);
process.stdout.write(changed.length === 0 ? 'no fact differs\n' : `${changed.join('\n')}\n`);
