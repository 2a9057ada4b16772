import { CommandFailure } from '../command-failure.js';
import { Scanners } from '../scanners/each-scanner.js';
import type { FleetClient } from '../scanners/fleet-client.js';
import type { SimRun } from '../sim/control-port.js';
import { ControlPort } from '../sim/control-port.js';

/**
 * Runs what a command of `azimuth sim` does for scanners of a fleet, one after the other. With a pattern, the output has
 * the serial number of each, and it goes on behind one that fails.
 */
export function simOfScanners(client: FleetClient, pattern: string, json: boolean): SimRun {
  return async ({ control }, act) => {
    if (control !== undefined)
      throw new CommandFailure('--control: the scanners of a fleet are reached by its port: give --fleet');
    const found = await client.scanners(pattern);
    const [first, ...others] = found.map(({ serialNumber, path }) => ({ label: serialNumber, path }));
    if (first === undefined) throw new CommandFailure(`no scanner of the fleet matches "${pattern}"`);
    const chosen = { targets: [first, ...others], several: pattern.includes('*') } as const;
    const scanners = new Scanners(chosen, { json, atOnce: 1 });
    await scanners.each(({ path }, output) => act(new ControlPort(`${client.url}${path}/x/sim`), output));
    scanners.finish();
  };
}
