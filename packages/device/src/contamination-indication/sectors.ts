import { ContaminationCover, fieldOfView, sectorCount, type ValueOf } from '@azimuth/model';
import type { ScanGeometry } from '../scan/scan-geometry.js';

/** Degrees. */
const sectorWidth = (fieldOfView.maximum - fieldOfView.minimum) / 10_000 / sectorCount;
/** Sectors from either end that a cover hides: the 6 of CM_COVER is taken for the six that are left. */
const hiddenByCover = 3;

/**
 * The first beam of a sector, or the one after the last where there is none. A beam between two sectors belongs to the
 * one on its left; beams beside the field of view belong to the outermost sectors.
 * @param sector 0 to 12; 12 stands for the end
 */
export function firstBeamOf(sector: number, { firstAngle, step, beams }: ScanGeometry): number {
  if (sector === 0) return 0;
  if (sector === sectorCount) return beams;
  const angle = fieldOfView.minimum / 10_000 + sector * sectorWidth;
  // A beam at the edge is meant, whatever the last bits of its angle say.
  const first = Math.ceil((angle - firstAngle) / step - 1e-6);
  return Math.min(Math.max(first, 0), beams);
}

/** Which sectors eCover lets be watched. An item that CustomSectors lacks is true, as its default is. */
export function watchedSectors({
  eCover,
  CustomSectors,
}: Pick<ValueOf<'ContaminationConfig'>, 'eCover' | 'CustomSectors'>): readonly boolean[] {
  return Array.from({ length: sectorCount }, (_, sector) => {
    switch (eCover) {
      case ContaminationCover.CM_COVER_NONE:
        return true;
      case ContaminationCover.CM_COVER:
        return sector >= hiddenByCover && sector < sectorCount - hiddenByCover;
      default:
        return CustomSectors[sector] ?? true;
    }
  });
}
