import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
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

  test('that is a folder without recordings is reported as such', async () => {
    mkdirSync(at('a.pcap'));
    expect(await failure({ replay: at('a.pcap') })).toBe(
      `--replay ${at('a.pcap')}: expected a folder of rosbag2 with files of MCAP (.mcap)`,
    );
  });

  test('that is missing in a folder of rosbag2, or is no file there, is named', async () => {
    const bag = at('bag');
    mkdirSync(join(bag, 'b.mcap'), { recursive: true });
    expect(await failure({ replay: bag })).toBe(`--replay ${join(bag, 'b.mcap')}: expected a file`);
    symlinkSync(at('gone.mcap'), join(bag, 'a.mcap'));
    expect(await failure({ replay: bag })).toBe(
      `--replay ${bag} cannot be read: no such file or directory (ENOENT)`,
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
