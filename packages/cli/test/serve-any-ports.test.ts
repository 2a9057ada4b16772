import { number, object, parse } from '@azimuth/test-support/json';
import { Reader, serve, temporaryFolder } from '@azimuth/test-support/serve-process';
import { describe, expect, test, vi } from 'vitest';
import { azimuthProgram } from '../src/all-commands.js';
import { resolveSwitches, useAnyPorts } from '../src/serve/serve-options.js';

/** The options of `azimuth serve` for a scanner. */
async function optionsOf(...argv: readonly string[]): Promise<Record<string, unknown>> {
  const program = await azimuthProgram(['serve']);
  const command = program.commands.find((each) => each.name() === 'serve');
  if (command === undefined) throw new Error('there is no serve');
  command.action(() => {
    resolveSwitches(command);
    useAnyPorts(command);
  });
  await program.parseAsync(['serve', ...argv], { from: 'user' });
  return command.opts();
}

const free = {
  port: 0,
  httpsPort: 0,
  legacyAPort: 0,
  legacyBPort: 0,
  searchPort: 0,
  controlPort: 0,
  dnsSd: false,
};

describe('--any-ports', () => {
  test('takes any free port for everything, and announces nothing', async () => {
    expect(await optionsOf('--any-ports')).toMatchObject(free);
  });

  test('leaves alone what the command line or the environment chooses', async () => {
    vi.stubEnv('AZIMUTH_SEARCH_PORT', '40000');
    expect(await optionsOf('--any-ports', '--port', '8080', '--dns-sd')).toMatchObject({
      ...free,
      port: 8080,
      searchPort: 40000,
      dnsSd: true,
    });
  });

  test('can be switched on and off by the environment', async () => {
    vi.stubEnv('AZIMUTH_ANY_PORTS', 'yes');
    expect(await optionsOf()).toMatchObject(free);
    vi.stubEnv('AZIMUTH_ANY_PORTS', 'no');
    expect(await optionsOf()).toMatchObject({ port: 8080, searchPort: 30718 });
  });

  test('opens all six ports, none of them at its usual number', async () => {
    const env = { AZIMUTH_PORT: '', AZIMUTH_LEGACY_A_PORT: '', AZIMUTH_LEGACY_B_PORT: '' };
    const process = serve({ env, flags: ['--any-ports', '--json', '--data', temporaryFolder()] });
    const stdout = new Reader(process.stdout);
    await stdout.until((text) => text.includes('\n'));
    const { http, https, legacyA, legacyB, search, control } = object(parse(stdout.text));
    const ports = [http, https, legacyA, legacyB, search, control].map(number);
    for (const port of ports) expect([0, 8080, 8443, 2111, 2112, 30718]).not.toContain(port);
    const response = await fetch(`http://127.0.0.1:${number(control)}/`);
    expect(object(parse(await response.text()))).toMatchObject({ http: { port: http } });
  });
});
