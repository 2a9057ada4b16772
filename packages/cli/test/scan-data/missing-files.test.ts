import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SystemClock, SystemRandom } from '@azimuth/device';
import { VirtualHardware } from '@azimuth/simulation';
import { LogBook } from '@azimuth/test-support/log-book';
import { temporaryFolder } from '@azimuth/test-support/serve-process';
import { beforeEach, describe, expect, test } from 'vitest';
import { chosenCore } from '../../src/serve/core.js';
import { azimuth } from '../run.js';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

const at = (name: string) => join(folder, name);

describe('the file of a scene or recording', () => {
  const failure = (options: { readonly replay: string } | { readonly scene: string }) =>
    chosenCore(
      { replaySpeed: 1, ...options },
      {
        clock: new SystemClock(),
        log: new LogBook(),
        random: new SystemRandom(),
        hardware: new VirtualHardware(new LogBook()),
        onDevice: () => undefined,
      },
    ).then(
      () => 'none',
      (error: unknown) => (error instanceof Error ? error.message : ''),
    );

  test('that is missing is named', async () => {
    const [replay, scene] = [at('nosuch.pcap'), at('nosuch.json')];
    expect(await failure({ replay })).toBe(`--replay ${replay} cannot be read: there is no such file`);
    expect(await failure({ scene })).toBe(`--scene: ${scene}: there is no such file`);
  });

  test('that is a folder is reported as such', async () => {
    mkdirSync(at('a.pcap'));
    expect(await failure({ replay: at('a.pcap') })).toContain(
      `--replay ${at('a.pcap')} cannot be read: EISDIR`,
    );
  });
});

describe('a file that stands where a folder should be is named before anything is received', () => {
  test.each([
    ['a picture', ['scan', '--png']],
    ['a table', ['scan', '--csv']],
    ['a recording', ['record']],
  ])('for %s', async (_, words) => {
    writeFileSync(at('file'), '');
    for (const place of ['file', 'file/deeper']) {
      expect((await azimuth(...words, at(`${place}/x`), '--listen', '1')).stderr).toBe(
        `azimuth: ${at(`${place}/x`)} cannot be written: ${at(place)} is not a folder\n`,
      );
    }
    expect(readdirSync(folder)).toEqual(['file']);
  });
});
