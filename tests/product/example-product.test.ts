import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Client } from '@azimuth/test-support/client';
import { expectData, expectDone } from '@azimuth/test-support/envelope';
import { number, object, parse } from '@azimuth/test-support/json';
import { ScannerProcess, temporaryFolder } from '@azimuth/test-support/scanner-process';
import { describe, expect, it, onTestFinished } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const product = `${root}/examples/product/acme-profiler.mjs`;

async function start(folder: string, ...flags: readonly string[]) {
  const scanner = await ScannerProcess.start({ folder, flags: ['--product', product, ...flags] });
  onTestFinished(async () => {
    await scanner.kill();
  });
  const client = new Client(number(scanner.httpPort));
  onTestFinished(() => client.close());
  return { scanner, client };
}

describe('the example product, as azimuth serve runs it', () => {
  it('serves its own variables and logs in with the password of the label', async () => {
    const folder = temporaryFolder();
    const { scanner, client } = await start(folder, '--serial', '23450001');
    const login = { user: 'Service', password: 'hV7-mtq-92x' };
    expect(await client.value('DeviceIdent')).toEqual({ Name: 'acmeProf', Version: '5.0.1' });
    expect(await client.value('LaserHours')).toBe(1207);
    expectDone(await client.write('LaserPowerLimit', 900, login));
    expect(object(object(parse((await client.call('ResetLaserHours', {}, login)).text)).data)).toEqual({
      Before: 1207,
    });
    expectData(await client.call('WriteEeprom', undefined, login), { Success: true });
    await scanner.kill();
    const again = await start(folder);
    expect(await again.client.value('LaserPowerLimit')).toBe(900);
    expect(await again.client.value('SerialNumber')).toBe('23450001');
  });

  it('refuses to start on its folder without the product, in one line', async () => {
    const folder = temporaryFolder();
    const { scanner } = await start(folder, '--firmware', '5.0.0');
    await scanner.kill();
    await expect(ScannerProcess.start({ folder })).rejects.toThrow(
      'The folder belongs to a scanner acmeProf, and this is a picoScan. Use another folder.',
    );
    await expect(
      ScannerProcess.start({ folder, flags: ['--product', product, '--firmware', '4.0.0'] }),
    ).rejects.toThrow('--firmware: expected 5.0.0, 5.0.1 of ');
    await expect(ScannerProcess.start({ folder, flags: ['--firmware', '5.0.0'] })).rejects.toThrow(
      "azimuth: option '--firmware <release>' argument '5.0.0' is invalid. Expected 1.4.0",
    );
  });
});

describe('docs/product.md', () => {
  it('has a row for each member of a product, of a variable and of a method', () => {
    const page = readFileSync(`${root}/docs/product.md`, 'utf8');
    const source = readFileSync(`${root}/packages/model/src/product-definition/definition.ts`, 'utf8');
    const membersOf = (name: string) => {
      const [, body = ''] = new RegExp(`interface ${name}[^{]*\\{\\n(.*?)\\n\\}`, 's').exec(source) ?? [];
      return [...body.matchAll(/^ {2}readonly (\w+)\??:/gm)].map(([, member = '']) => member);
    };
    const rows = [...page.matchAll(/^\| `(\w+)[`(]/gm)].map(([, member]) => member);
    expect(membersOf('ProductDefinition')).toHaveLength(18);
    for (const member of [...membersOf('ProductDefinition'), ...membersOf('OwnVariable')])
      expect(rows, member).toContain(member);
    for (const member of membersOf('OwnMethod')) expect(page, member).toContain(`\`${member}\``);
  });
});
