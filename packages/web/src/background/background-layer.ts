import type { Layer } from '../plan/floor-plan.js';
import { toScreen } from '../plan/plan.js';
import type { BackgroundPicture } from './background.js';

/** The picture below the grid. It is drawn when the view moves, not with each scan. */
export function backgroundLayer({ shown }: BackgroundPicture): Layer {
  return {
    name: 'background',
    isShown: () => shown.value !== undefined,
    draw({ context, viewport }) {
      if (shown.value === undefined) return;
      const { image, placing } = shown.value;
      const { left, top } = toScreen(viewport, placing);
      const scale = placing.scale * viewport.scale;
      context.save();
      context.globalAlpha = placing.opacity;
      context.translate(left, top);
      context.rotate((-placing.turn * Math.PI) / 180);
      context.scale(scale, scale);
      context.drawImage(image, -image.width / 2, -image.height / 2);
      context.restore();
    },
  };
}
