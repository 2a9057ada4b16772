import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const module = fileURLToPath(new URL('../dist/serve/young-generation.js', import.meta.url));

/** The size (MiB) of the young generation after a time in which many objects have lived for a short while. */
function sizeUnderLoad(begin: string): number {
  const program = `
    import { getHeapSpaceStatistics } from 'node:v8';
    import { boundYoungGeneration } from ${JSON.stringify(module)};
    ${begin}
    const young = () => getHeapSpaceStatistics().find((space) => space.space_name === 'new_space').space_size;
    const recent = [];
    let next = 0;
    let turns = 0;
    const work = () => {
      for (let count = 0; count < 2_000; count++) recent[next++ % 60_000] = { count, text: 'x' + count };
      if (++turns < 300 && young() < 30 * 2 ** 20) setTimeout(work, 5);
      else console.log(young() / 2 ** 20);
    };
    work();`;
  return Number(
    execFileSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' }),
  );
}

test('the young generation stops growing, where it would not by itself', () => {
  expect(sizeUnderLoad('')).toBeGreaterThanOrEqual(30);
  expect(sizeUnderLoad('boundYoungGeneration();')).toBeLessThan(30);
});
