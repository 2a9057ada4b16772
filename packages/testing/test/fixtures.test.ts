import { extensions } from '@azimuth/model';
import { temporaryFolder } from '@azimuth/test-support/serve-process';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type StartOptions, startScanner } from '../src/index.js';

async function started(options: StartOptions) {
  const scanner = await startScanner(options);
  onTestFinished(() => scanner.close());
  return scanner;
}

describe('the fixtures of startScanner', () => {
  test('are working parameters that a power cut ends', async () => {
    const scanner = await started({ parameters: { LocationName: 'Gate 3', ScanDataEnable: true } });
    expect(await scanner.client.read('LocationName')).toBe('Gate 3');
    expect(scanner.read('ScanDataEnable')).toBe(true);
    await scanner.powerCycle();
    expect(scanner.read('LocationName')).toBe('not defined');
  });

  test('are stored parameters that survive a power cut', async () => {
    const points = [
      { x: 0, y: 0 },
      { x: 1000, y: 0 },
      { x: 0, y: 1000 },
    ];
    const fields = extensions.members.fields.valueFrom({
      evaluations: [{ Id: 1, Name: 'a', Points: points }],
      groups: [],
    });
    const scanner = await started({
      stored: { LocationName: 'Gate 3', 'x/fields': fields },
      parameters: { LocationName: 'Gate 4' },
    });
    expect(scanner.read('LocationName')).toBe('Gate 4');
    await scanner.powerCycle();
    expect(scanner.read('LocationName')).toBe('Gate 3');
    const { evaluations } = await scanner.client.read('x/fields');
    expect(evaluations).toMatchObject([{ Id: 1, Name: 'a' }]);
  });

  test('may be given again with the folder that has them, but not with one that has others', async () => {
    const options = { folder: temporaryFolder(), stored: { LocationName: 'Gate 3' } };
    await (await startScanner(options)).close();
    await (await startScanner(options)).close();
    await expect(startScanner({ ...options, stored: { LocationName: 'Gate 4' } })).rejects.toThrow(
      'stored: the folder was used before, and has another LocationName',
    );
    await (await startScanner(options)).close();
  });

  const refused: readonly (readonly [StartOptions, string])[] = [
    [{ stored: { LocationName: 'x'.repeat(99) } }, 'stored: LocationName: '],
    // @ts-expect-error: not a text
    [{ parameters: { LocationName: 7 } }, 'parameters: LocationName: expected a string, got 7'],
    [
      // @ts-expect-error: there is no such parameter
      { stored: { LokationName: 'a' } },
      'stored: LokationName is no parameter of release 2.4.4, variant full; did you mean LocationName?',
    ],
    [{ parameters: { SerialNumber: '7' } }, 'parameters: SerialNumber is no parameter of'],
    [{ release: '1.4.0', stored: { enableCloningPlug: true } }, 'is no parameter of release 1.4.0'],
    [
      { parameters: { EtherAuxIPPort: 2112 } },
      'parameters: EtherAuxIPPort: interface A and interface B need',
    ],
    [{ stored: { EtherAuxIPPort: 2112 } }, 'stored: EtherAuxIPPort: interface A and interface B need'],
    // @ts-expect-error: no object
    [{ stored: 'LocationName' }, 'stored: expected an object such as'],
  ];
  test.each(refused)('are refused: %j', async (options, message) => {
    await expect(startScanner(options)).rejects.toThrow(message);
    await expect(startScanner(options)).rejects.toBeInstanceOf(RangeError);
  });
});
