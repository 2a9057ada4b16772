import { expectData, expectDone } from '@azimuth/test-support/envelope';
import { ScannerFolder } from '@azimuth/test-support/scanner-process';
import { expect, test } from 'vitest';

test('a power cut loses values that were written and not stored', async () => {
  const scannerFolder = new ScannerFolder();
  const scanner = await scannerFolder.start();
  expectDone(await scanner.client().write('LocationName', 'stored'));
  expectData(await scanner.client().call('WriteEeprom'), { Success: true });
  expectDone(await scanner.client().write('LocationName', 'working'));
  await scanner.kill();
  const again = (await scannerFolder.start()).client();
  expect(await again.value('LocationName')).toBe('stored');
});

test('a clean end does not store values that were not saved', async () => {
  const scannerFolder = new ScannerFolder();
  const scanner = await scannerFolder.start();
  expectDone(await scanner.client().write('LocationName', 'working'));
  await scanner.stop();
  expect(await (await scannerFolder.start()).client().value('LocationName')).toBe('not defined');
});

test('values that were answered as stored survive an immediate power cut', async () => {
  const scannerFolder = new ScannerFolder();
  for (const act of ['WriteEeprom', 'RebootDevice', 'LoadFactoryDefaults']) {
    const scanner = await scannerFolder.start();
    const client = scanner.client();
    expectDone(await client.write('LocationName', act));
    const reply = await client.call(act);
    await scanner.kill();
    expect(reply.text).toContain('"status":0');
    const again = await scannerFolder.start();
    const expected = act === 'LoadFactoryDefaults' ? 'not defined' : act;
    expect(await again.client().value('LocationName')).toBe(expected);
    await again.kill();
  }
});
