import { pixelOf, rgbOf } from '../plan/colours.js';
import type { Layer } from '../plan/floor-plan.js';
import type { Comparison } from './comparison.js';
import { Pixels, stampsFor } from './pixels.js';

/** The scan before a change of a setting, below the scans after it. It is drawn once: it does not change. */
export function beforeLayer({ shown }: Comparison): Layer {
  const pixels = new Pixels();
  return {
    name: 'before',
    isLively: true,
    isShown: () => shown.value !== undefined,
    draw(pen) {
      const before = shown.value?.before;
      if (before === undefined) return;
      const { context, colours, pixelRatio } = pen;
      pixels.clear(context.canvas.width, context.canvas.height);
      const { dot } = stampsFor(pixelRatio);
      pixels.trace(before.echoes, before.scan, before.placement, pen, pixelOf(rgbOf(colours.warn)), dot);
      pixels.show(context);
    },
  };
}
