import { expect, test, vi } from 'vitest';
import { azimuthProgram } from '../../src/all-commands.js';
import { settleSwitches } from '../../src/serve/option-values.js';

/** The options of `azimuth serve`, as these arguments and the environment settle them. */
async function options(...argv: readonly string[]): Promise<Record<string, unknown>> {
  const program = azimuthProgram();
  const serve = program.commands.find((command) => command.name() === 'serve');
  if (serve === undefined) throw new Error('there is no serve');
  serve.action(() => settleSwitches(serve));
  await program.parseAsync(['serve', ...argv], { from: 'user' });
  return serve.opts();
}

test('a scanner is searched for at port 30718, and announced', async () => {
  expect(await options()).toMatchObject({ searchPort: 30718, dnsSd: true });
});

test('the environment and the command line say otherwise', async () => {
  expect(await options('--search-port', '0', '--no-dns-sd')).toMatchObject({ searchPort: 0, dnsSd: false });
  vi.stubEnv('AZIMUTH_SEARCH_PORT', '40000');
  vi.stubEnv('AZIMUTH_DNS_SD', 'off');
  const given = await options();
  expect(given.searchPort).toBe(40000);
  expect(given.dnsSd).not.toBe(true);
  vi.stubEnv('AZIMUTH_DNS_SD', 'on');
  expect(await options()).toMatchObject({ dnsSd: true });
  expect(await options('--no-dns-sd')).toMatchObject({ dnsSd: false });
});
