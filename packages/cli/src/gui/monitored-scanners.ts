import { SiteUnavailable } from '@azimuth/http';
import { CommandFailure } from '../command-failure.js';
import { printable, remark } from '../output/output.js';
import type { ShownScanner } from './gui-site.js';
import type { MonitorClient, MonitorList } from './monitor-client.js';
import { checkedAddress, withDifferentNames } from './shown-scanners.js';

/**
 * Returns the scanners that a monitor watches. It says where they are: only addresses of web servers without a password are
 * taken over.
 * @throws CommandFailure if the monitor does not answer, or watches no scanner
 */
export async function monitoredScanners(client: MonitorClient): Promise<readonly ShownScanner[]> {
  const { scanners } = await listOf(client);
  const shown = scanners.flatMap(({ path, url, group }): ShownScanner[] => {
    try {
      return [{ url: checkedAddress(url), name: path, group }];
    } catch (error) {
      if (!(error instanceof CommandFailure)) throw error;
      remark(`${printable(path)} of the monitor is left out: ${printable(error.message)}`);
      return [];
    }
  });
  if (shown.length === 0) throw new CommandFailure(`the monitor at ${client.url} watches no scanner`);
  return withDifferentNames(shown);
}

async function listOf(client: MonitorClient): Promise<MonitorList> {
  try {
    return await client.list();
  } catch (error) {
    if (error instanceof SiteUnavailable)
      throw new CommandFailure(
        `${printable(error.message)}. Start it, or name its port with --monitor`,
        'unreachable',
      );
    throw error;
  }
}
