import {
  echoesPerBeam,
  firstBeamOfSector,
  type MeasuringOrder,
  removeEchoes,
  type Scan,
  weakestEcho,
} from '@azimuth/device';
import { sectorCount } from '@azimuth/model';

/** What knows the dirt on the simulated front screen: the hardware of a virtual scanner. */
export interface Dirt {
  /** The share of light, 0 to 1, that dirt takes in each sector; missing ones are clean. */
  contamination?(): readonly number[];
}

/** The simulated front screen, through which a simulated core measures. */
export class FrontScreen {
  readonly #dirt: Dirt;

  /** @param dirt none if it is left out */
  constructor(dirt: Dirt = {}) {
    this.#dirt = dirt;
  }

  /**
   * Weakens the echoes of a scan. Light passes the screen twice, so the strength of an echo is multiplied by (1 - share)².
   * An echo is lost if its strength is then below what the receiver detects. Clean sectors change nothing.
   */
  weaken(scan: Scan, sensitivity: MeasuringOrder['sensitivity']): void {
    const shares = this.#dirt.contamination?.() ?? [];
    const detectable = weakestEcho[sensitivity];
    for (let sector = 0; sector < sectorCount; sector++) {
      const share = shares[sector] ?? 0;
      if (share === 0) continue;
      const passing = (1 - share) * (1 - share);
      const end = firstBeamOfSector(sector + 1, scan.geometry);
      for (let beam = firstBeamOfSector(sector, scan.geometry); beam < end; beam++) {
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
