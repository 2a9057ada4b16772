import { sectorCount } from '@azimuth/model';
import { removeEchoes } from '../filter/scan-filter.js';
import { echoesPerBeam, type Scan } from '../scan/scan.js';
import { firstBeamOf } from './sectors.js';

/** The front screen of the scanner with the dirt on it. */
export class FrontScreen {
  readonly #levels = new Float64Array(sectorCount);

  /** The share of light, 0 to 1, that each sector absorbs. */
  get levels(): ArrayLike<number> {
    return this.#levels;
  }

  /** Sets the level of each sector. Numbers outside 0 to 1 are limited, NaN and missing ones count as 0. */
  setLevels(levels: readonly number[]): void {
    for (let sector = 0; sector < sectorCount; sector++) {
      const level = levels[sector] ?? 0;
      this.#levels[sector] = Number.isNaN(level) ? 0 : Math.min(Math.max(level, 0), 1);
    }
  }

  /**
   * Weakens the echoes of a scan. Light passes the screen twice, so the strength of an echo is multiplied by (1 - level)².
   * An echo is lost if its strength is then below what the receiver detects. Clean sectors change nothing.
   * @param detectable RSSI of the weakest echo
   */
  weaken(scan: Scan, detectable: number): void {
    for (let sector = 0; sector < sectorCount; sector++) {
      const level = this.#levels[sector] ?? 0;
      if (level === 0) continue;
      const passing = (1 - level) * (1 - level);
      const end = firstBeamOf(sector + 1, scan.geometry);
      for (let beam = firstBeamOf(sector, scan.geometry); beam < end; beam++) {
        weakenBeam(scan, beam, passing, detectable);
      }
    }
  }
}

/** @param passing the share of light, 0 to 1, that comes back through the screen */
function weakenBeam(scan: Scan, beam: number, passing: number, detectable: number): void {
  let lost = 0;
  for (let echo = 0; echo < echoesPerBeam; echo++) {
    const place = beam * echoesPerBeam + echo;
    if (scan.distance[place] === 0) break;
    const strength = (scan.rssi[place] ?? 0) * passing;
    scan.rssi[place] = Math.round(strength);
    if (strength < detectable) lost |= 1 << echo;
  }
  if (lost !== 0) removeEchoes(scan, beam, lost);
}
