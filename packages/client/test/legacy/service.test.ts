import { defineProduct } from '@azimuth/model';
import { TestScanner } from '@azimuth/test-support/test-scanner';
import { expect, test } from 'vitest';
import { Scanner } from '../../src/index.js';
import { LegacyScanner } from '../../src/legacy/index.js';

test.each(['text', 'binary'] as const)(
  'own names of a product, over %s, are those of its description over REST',
  async (framing) => {
    const product = defineProduct({
      name: 'GateScan',
      deviceType: 'GateScan2',
      orderNumber: '1',
      realm: 'Gate Sensor',
      releases: { '5.0.1': '2.4.4' },
      groups: { added: { Laser: {} } },
      variables: {
        Beam: {
          group: 'Laser',
          text: 'Beam of the laser.',
          type: {
            kind: 'struct',
            members: { Width: { kind: 'integer', format: 'uint16' }, Name: { kind: 'string', maxLength: 8 } },
          },
          write: 'AuthorizedClient',
        },
      },
    });
    const scanner = await TestScanner.start({ product });
    const rest = new Scanner({ url: `http://127.0.0.1:${scanner.httpPort}` });
    const known = await rest.description.whole();
    const port = framing === 'text' ? scanner.portA : scanner.portB;
    const legacy = await LegacyScanner.connect({ host: '127.0.0.1', port, framing, known });
    await legacy.login('Service', 'servicelevel');
    await legacy.writeAny('Beam', { Width: 300, Name: 'ä1' });
    expect(await legacy.readAny('Beam')).toEqual({ Width: 300, Name: 'ä1' });
    expect(await rest.readAny('Beam')).toEqual({ Width: 300, Name: 'ä1' });
    await expect(legacy.readAny('Other')).rejects.toThrow('the interface has no variable Other');
    legacy.close();
  },
);

test.each(['text', 'binary'] as const)(
  'a whole scanner, over %s, is the same as over REST',
  async (framing) => {
    const scanner = await TestScanner.start();
    await scanner.clock.advance(2000);
    const port = framing === 'text' ? scanner.portA : scanner.portB;
    const legacy = await LegacyScanner.connect({ host: '127.0.0.1', port, framing });
    const rest = new Scanner({
      url: `http://127.0.0.1:${scanner.httpPort}`,
      user: 'Service',
      password: 'servicelevel',
    });
    try {
      await expect(legacy.write('LocationName', 'Gate 3')).rejects.toMatchObject({
        errorName: 'writeAccessDenied',
      });
      expect(await legacy.checkPassword('Service', 'wrong')).toBe(false);
      await legacy.login('Service', 'servicelevel');
      const events = legacy.events('LocationName')[Symbol.asyncIterator]();
      const changed = events.next();
      await legacy.write('LocationName', 'Gate 3');
      expect(await rest.read('LocationName')).toBe('Gate 3');
      expect((await changed).value).toBe('Gate 3');
      for (const name of [
        'EtherIPAddress',
        'ScanDataEthSettings',
        'DeviceIdent',
        'LFPangleRangeFilter',
        'LEDState',
        'PortConfiguration',
        'PortState',
        'FieldEvaluationResult',
      ] as const) {
        expect(await legacy.read(name)).toEqual(await rest.read(name));
      }
      // Its acknowledgement has no blank in binary.
      await legacy.write('EtherSessionTimeout', 20_000);
      expect(await rest.read('EtherSessionTimeout')).toBe(20_000);
      expect(await legacy.call('WriteEeprom')).toEqual({ Success: true });
      const { name } = await legacy.raw('sMN mEEwriteall');
      expect(name).toBe('mEEwriteall');
      await legacy.run();
      await expect(legacy.call('WriteEeprom')).rejects.toMatchObject({ errorName: 'methodAccessDenied' });
    } finally {
      legacy.close();
    }
  },
);

test('a scanner that reboots ends the connection', async () => {
  const scanner = await TestScanner.start();
  await scanner.clock.advance(2000);
  const legacy = await LegacyScanner.connect({ host: '127.0.0.1', port: scanner.portA });
  await legacy.login('Service', 'servicelevel');
  const scans = legacy.scans()[Symbol.asyncIterator]().next();
  await legacy.call('RebootDevice');
  await expect(scans).rejects.toThrow('cannot be reached');
  legacy.close();
});
