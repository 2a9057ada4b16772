import type { Device } from '@azimuth/device';
import { sectorCount, type VirtualHost } from '../virtual-host.js';
import { type Commands, ControlRefused } from './command.js';
import { numberIn, wholeNumberIn } from './given.js';

/** Who looks at the dirt on the front screen. */
interface Watching {
  levelsChanged(): void;
}

/** The dirt on the front screen. */
export function screenCommands(device: Device, contamination: Watching, host: VirtualHost): Commands {
  return {
    contamination: {
      takes: ['level', 'sector'],
      act: (given) => {
        if (device.edition.variant === 'core') {
          throw new ControlRefused('a scanner of the variant core does not watch its front screen');
        }
        const level = numberIn(given, 'level', 0, 1);
        const sector =
          given.sector === undefined ? undefined : wholeNumberIn(given, 'sector', 1, sectorCount);
        host.setContamination(level, sector);
        contamination.levelsChanged();
      },
    },
  };
}
