import type { ReadonlySignal } from '@preact/signals';
import type { Layer } from '../plan/floor-plan.js';
import { pointAlong } from '../plan/placement.js';
import { toScreen } from '../plan/plan.js';
import type { ScanSource } from './scan-source.js';

/** The scanners whose segments are drawn: a part of `LiveState`. */
interface SegmentsInSight {
  readonly showsSegments: ReadonlySignal<boolean>;
  readonly sources: readonly Pick<ScanSource, 'placement' | 'scanAt'>[];
  readonly scans: ReadonlySignal<number>;
  readonly shownAt: ReadonlySignal<number | undefined>;
}

/** m, beyond the range of a scanner. */
const length = 300;

/** A dashed line along the first beam of each segment, and along the last beam of the scan. */
export function segmentsLayer({ showsSegments, sources, scans, shownAt }: SegmentsInSight): Layer {
  return {
    name: 'segments',
    isShown: () => showsSegments.value,
    draw({ context, viewport, colours }) {
      void scans.value;
      context.strokeStyle = colours.soft;
      context.setLineDash([2, 5]);
      context.beginPath();
      for (const source of sources) {
        const scan = source.scanAt(shownAt.peek());
        if (scan === undefined || scan.beams === 0) continue;
        const place = source.placement.value;
        const from = toScreen(viewport, place);
        for (const beam of [...scan.segmentBeams, scan.beams - 1]) {
          const [cos, sin] = [scan.directions.cos[beam] ?? 0, scan.directions.sin[beam] ?? 0];
          const to = toScreen(viewport, pointAlong(place, cos, sin, length));
          context.moveTo(from.left, from.top);
          context.lineTo(to.left, to.top);
        }
      }
      context.stroke();
      context.setLineDash([]);
    },
  };
}
