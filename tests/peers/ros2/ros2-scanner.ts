import { freeDomain } from '@azimuth/test-support/dds-domain';
import { expectData } from '@azimuth/test-support/envelope';
import { ScannerFolder, type ScannerProcess } from '@azimuth/test-support/scanner-process';
import { room } from '@azimuth/test-support/streams/room';
import { Setup, sceneFile } from '@azimuth/test-support/streams/virtual-scanner';

export const nativeRos2 = 4;

export interface Ros2Scanner {
  readonly scanner: ScannerProcess;
  readonly setup: Setup;
  readonly domain: number;
  readonly folder: ScannerFolder;
}

export interface Ros2Options {
  readonly scene?: object;
  readonly profile?: number;
  /** A free one if it is left out. */
  readonly domain?: number;
  /** Of the parameters that are written, and saved. */
  readonly values?: Readonly<Record<string, unknown>>;
  readonly bootTime?: number;
}

/** A scanner in a domain of its own that publishes a room. Its parameters are saved. */
export async function publishing(options: Ros2Options = {}): Promise<Ros2Scanner> {
  const { scene = room, profile = 2, values = {}, bootTime } = options;
  const folder = new ScannerFolder();
  const flags = ['--scene', sceneFile(scene), '--seed', '7'];
  const scanner = await folder.start(flags, bootTime === undefined ? {} : { bootTime });
  const setup = new Setup(scanner.client());
  const domain = options.domain ?? (await freeDomain());
  await setup.write('rosDomainId', domain);
  for (const [name, value] of Object.entries(values)) await setup.write(name, value);
  await setup.profile(profile);
  await setup.write('ScanDataFormat', nativeRos2);
  await setup.write('ScanDataEnable', true);
  expectData(await setup.client.call('WriteEeprom'), { Success: true });
  return { scanner, setup, domain, folder };
}
