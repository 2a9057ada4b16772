import { expect, test } from 'vitest';
import { expectData, expectDone } from '../../support/envelope.js';
import { ProcessBench } from '../../support/scanner-process.js';

test('what was written and not stored is lost when the plug is pulled', async () => {
  const bench = new ProcessBench();
  const scanner = await bench.start();
  expectDone(await scanner.client().write('LocationName', 'stored'));
  expectData(await scanner.client().call('WriteEeprom'), { Success: true });
  expectDone(await scanner.client().write('LocationName', 'working'));
  await scanner.kill();
  const again = (await bench.start()).client();
  expect(await again.value('LocationName')).toBe('stored');
});

test('a clean end saves nothing that was not saved', async () => {
  const bench = new ProcessBench();
  const scanner = await bench.start();
  expectDone(await scanner.client().write('LocationName', 'working'));
  await scanner.stop();
  expect(await (await bench.start()).client().value('LocationName')).toBe('not defined');
});

test('what was answered as stored is there after a power cut at once', async () => {
  const bench = new ProcessBench();
  for (const act of ['WriteEeprom', 'RebootDevice', 'LoadFactoryDefaults']) {
    const scanner = await bench.start();
    const client = scanner.client();
    expectDone(await client.write('LocationName', act));
    const reply = await client.call(act);
    await scanner.kill();
    expect(reply.text).toContain('"status":0');
    const again = await bench.start();
    const expected = act === 'LoadFactoryDefaults' ? 'not defined' : act;
    expect(await again.client().value('LocationName')).toBe(expected);
    await again.kill();
  }
});
