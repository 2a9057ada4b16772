import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, run, temporaryFolder } from '@azimuth/test-support/recipe-program';
import { expect, test } from 'vitest';

const shell = join(root, 'examples', 'shell');
const withScanner = join(shell, 'with-scanner.sh');

test('the recipe for shells passes, and leaves nothing behind', async () => {
  const passed = await run([withScanner, join(shell, 'test-scanner.sh')], temporaryFolder());
  expect(passed).toEqual({ code: 0, output: '' });
});

test('with-scanner.sh passes the exit code on, and tells why a scanner does not start', async () => {
  expect(await run([withScanner, 'sh', '-c', 'exit 7'], root)).toEqual({ code: 7, output: '' });
  const script = `SCANNER_OPTIONS='--scene nowhere' ${withScanner} true`;
  const { code, output } = await run(['sh', '-c', script], root);
  expect(code).toBe(1);
  expect(output).toContain('nowhere');
});

test('the recipe for TypeScript passes', async () => {
  const config = join(temporaryFolder(), 'vitest.config.mjs');
  writeFileSync(config, 'export default {};');
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const folder = join(root, 'examples', 'typescript');
  const words = [process.execPath, vitest, 'run', '--config', config, '--root', folder];
  const { code, output } = await run(words, root);
  expect(output).toMatch(/2 passed/);
  expect(code).toBe(0);
});
