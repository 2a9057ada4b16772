import { sectorCount } from '@azimuth/model';
import type { VirtualHost } from '../virtual-host.js';
import type { Commands } from './command.js';
import { numberIn, wholeNumberIn } from './given.js';

/** Who looks at the dirt on the front screen. */
interface Watching {
  levelsChanged(): void;
}

/** The dirt on the front screen. */
export function screenCommands(contamination: Watching, host: VirtualHost): Commands {
  return {
    contamination: {
      takes: ['level', 'sector'],
      act: (given) => {
        const level = numberIn(given, 'level', 0, 1);
        const sector =
          given.sector === undefined ? undefined : wholeNumberIn(given, 'sector', 1, sectorCount);
        host.setContamination(level, sector);
        contamination.levelsChanged();
      },
    },
  };
}
