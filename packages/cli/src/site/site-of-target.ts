import { CommandFailure } from '../command-failure.js';
import { scannerAt } from '../scanners/connection.js';
import type { Target } from '../scanners/target.js';
import type { SiteFile, SiteScanner } from './site-file.js';

/**
 * Returns what a site file has for a scanner.
 * @throws CommandFailure if it has nothing, or the parameters of a scanner with another serial number
 */
export async function siteOfTarget(
  site: SiteFile,
  target: Pick<Target, 'label' | 'url'>,
): Promise<SiteScanner> {
  const { path } = site.file;
  const found = site.scannerNamed(target.label, target.url);
  if (found === undefined) throw new CommandFailure(`${path} says nothing about ${target.label}`);
  if (found.serial === undefined) return found;
  const serial = await scannerAt(target).read('SerialNumber');
  if (serial === found.serial) return found;
  throw new CommandFailure(
    `${target.url} is scanner ${serial}, and ${path} has the parameters of scanner ${found.serial}. If the scanner was replaced, change serial in the file, or remove it`,
  );
}
