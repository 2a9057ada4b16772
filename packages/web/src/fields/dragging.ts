import type { Point } from '@azimuth/model';
import type { TargetedPointerEvent } from 'preact';
import { useRef } from 'preact/hooks';
import type { Plan } from '../live/plan.js';
import { toPlan } from '../live/viewport.js';
import { millimetres } from './plan-millimetres.js';

/** A drag of something on the plan. */
export interface Drag {
  /** The same object for all changes of the drag: see UndoStack.change. */
  readonly gesture: object;
  /** From where it was taken to where the pointer is, in mm. */
  readonly by: Point;
}

/**
 * The handlers of an element that is dragged on the plan. The plan itself does not move meanwhile.
 * @param begin called when it is taken; what it returns is called with each movement
 */
export function useDrag(plan: Plan, begin: (gesture: object) => (drag: Drag) => void) {
  const drag = useRef<{ move: (event: TargetedPointerEvent<HTMLElement>) => void } | undefined>(undefined);
  const end = (event: TargetedPointerEvent<HTMLElement>) => {
    if (drag.current === undefined) return;
    event.stopPropagation();
    drag.current = undefined;
  };
  return {
    onPointerDown: (event: TargetedPointerEvent<HTMLElement>) => {
      if (event.button !== 0) return;
      event.stopPropagation();
      event.currentTarget.setPointerCapture(event.pointerId);
      const gesture = {};
      const from = pointOf(plan, event);
      const goOn = begin(gesture);
      drag.current = {
        move: (later) => {
          const to = pointOf(plan, later);
          goOn({ gesture, by: { x: to.x - from.x, y: to.y - from.y } });
        },
      };
    },
    onPointerMove: (event: TargetedPointerEvent<HTMLElement>) => {
      if (drag.current === undefined) return;
      event.stopPropagation();
      drag.current.move(event);
    },
    onPointerUp: end,
    onPointerCancel: end,
  };
}

function pointOf(plan: Plan, event: TargetedPointerEvent<HTMLElement>): Point {
  const { left, top } = (event.currentTarget.closest('.plan') ?? event.currentTarget).getBoundingClientRect();
  return millimetres(toPlan(plan.viewport.peek(), { left: event.clientX - left, top: event.clientY - top }));
}

/** The movement in mm that an arrow key asks for: 10 mm, with shift 100 mm; undefined for other keys. */
export function stepOfKey({ key, shiftKey }: KeyboardEvent): Point | undefined {
  const step = shiftKey ? 100 : 10;
  switch (key) {
    case 'ArrowUp':
      return { x: step, y: 0 };
    case 'ArrowDown':
      return { x: -step, y: 0 };
    case 'ArrowLeft':
      return { x: 0, y: step };
    case 'ArrowRight':
      return { x: 0, y: -step };
    default:
      return undefined;
  }
}
