import type { Point } from '@azimuth/model';
import type { TargetedPointerEvent } from 'preact';
import { useRef } from 'preact/hooks';
import { millimetres, type Plan, type PlanPoint, type ScreenPoint, toPlan } from './plan.js';

/** Presses and keys on the plan that do not move it. */
export interface PlanEvents {
  /** A press without a drag. */
  readonly onPress?: ((point: PlanPoint) => void) | undefined;
  /** Enter, at the middle of the view. */
  readonly onEnter?: ((point: PlanPoint) => void) | undefined;
  /** The left or right arrow key. @param steps to the left. @returns true if the plan must not move */
  readonly onStep?: ((steps: number) => boolean) | undefined;
}

/** CSS pixels that a pointer may move in a press. */
const defaultPressTolerance = 5;
/** CSS pixels by which an arrow key moves the plan. */
const keyStep = 60;
const keyZoom = 1.25;

/**
 * Callbacks for pointers and keys on an element that they move. Positions are CSS pixels from its upper left corner.
 */
interface PointerEvents {
  /** Zooms by the wheel, about the pointer; by two fingers, about the finger that rests. */
  readonly onZoom: (factor: number, about: ScreenPoint) => void;
  readonly onDrag: (right: number, down: number) => void;
  readonly onKey: (event: KeyboardEvent) => void;
  /** Called when a pointer has moved; undefined if it has left the element. */
  readonly onPoint?: (place: ScreenPoint | undefined) => void;
  /** A press without a drag. */
  readonly onPress?: (place: ScreenPoint) => void;
}

/**
 * Follows pointers, the wheel and keys on an element. A child that handles an event itself calls `stopPropagation`.
 * @param pressTolerance CSS pixels that a pointer may move in a press
 * @returns a function that stops it
 */
export function followPointers(
  element: HTMLElement,
  { onZoom, onDrag, onKey, onPoint, onPress }: PointerEvents,
  pressTolerance = 0,
): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  const down = new Map<number, ScreenPoint>();
  let pressed: ScreenPoint | undefined;
  const placeOf = ({ clientX, clientY }: MouseEvent): ScreenPoint => {
    const { left, top } = element.getBoundingClientRect();
    return { left: clientX - left, top: clientY - top };
  };
  const onWheel = (event: WheelEvent) => {
    event.preventDefault();
    // Lines and pages count as many pixels. A pinch on a touchpad comes as a wheel with Ctrl, in small steps.
    const pixels = event.deltaY * (event.deltaMode === 0 ? 1 : event.deltaMode === 1 ? 16 : 240);
    onZoom(Math.exp(-pixels * (event.ctrlKey ? 0.01 : 0.0015)), placeOf(event));
  };
  const onDown = (event: PointerEvent) => {
    if (event.button > 1) return;
    const place = placeOf(event);
    down.set(event.pointerId, place);
    pressed = down.size === 1 ? place : undefined;
    element.setPointerCapture(event.pointerId);
  };
  const onMove = (event: PointerEvent) => {
    const place = placeOf(event);
    const before = down.get(event.pointerId);
    if (before === undefined) {
      onPoint?.(place);
      return;
    }
    if (pressed !== undefined && distance(pressed, place) <= pressTolerance) return;
    pressed = undefined;
    const other = [...down].find(([id]) => id !== event.pointerId)?.[1];
    if (other === undefined) onDrag(place.left - before.left, place.top - before.top);
    else if (distance(other, before) >= 1) onZoom(distance(other, place) / distance(other, before), other);
    down.set(event.pointerId, place);
    onPoint?.(place);
  };
  const onUp = (event: PointerEvent) => {
    if (!down.delete(event.pointerId) || pressed === undefined) return;
    const place = pressed;
    pressed = undefined;
    if (event.type !== 'pointerup') return;
    onPoint?.(place);
    onPress?.(place);
  };
  const onLeave = (event: PointerEvent) => {
    if (event.pointerType === 'mouse' && down.size === 0) onPoint?.(undefined);
  };
  // The keys need the focus.
  element.tabIndex = 0;
  element.addEventListener('wheel', onWheel, { passive: false, signal });
  element.addEventListener('pointerdown', onDown, { signal });
  element.addEventListener('pointermove', onMove, { signal });
  element.addEventListener('pointerup', onUp, { signal });
  element.addEventListener('pointercancel', onUp, { signal });
  element.addEventListener('pointerleave', onLeave, { signal });
  const onKeyDown = (event: KeyboardEvent) => {
    if (!event.ctrlKey && !event.metaKey && !event.altKey) onKey(event);
  };
  element.addEventListener('keydown', onKeyDown, { signal });
  return () => stop.abort();
}

/**
 * Moves a plan by events of its element. Wheel and pinch zoom about the pointer; a drag and the arrow keys move it; `+`
 * and `-` zoom. With the keyboard, the middle of the view is the pointer.
 * @returns a function that stops it
 */
export function followGestures(element: HTMLElement, plan: Plan, events: () => PlanEvents): () => void {
  const onKey = (event: KeyboardEvent) => {
    if (event.target !== element) return;
    const { onEnter, onStep } = events();
    const steps =
      (event.key === 'ArrowLeft' ? 1 : event.key === 'ArrowRight' ? -1 : 0) * (event.shiftKey ? 10 : 1);
    if (steps !== 0 && onStep?.(steps)) {
      event.preventDefault();
      return;
    }
    const isEntered = event.key === 'Enter' && onEnter !== undefined;
    if (!isEntered && !moveByKey(plan, event.key)) return;
    event.preventDefault();
    plan.pointAtMiddle();
    const point = plan.pointer.peek();
    if (isEntered && point !== undefined) onEnter(point);
  };
  const onFocus = () => {
    if (element.matches(':focus-visible')) plan.pointAtMiddle();
  };
  const onBlur = () => {
    if (plan.isKeyed.peek()) plan.pointAt(undefined);
  };
  element.addEventListener('focus', onFocus);
  element.addEventListener('blur', onBlur);
  const stop = followPointers(
    element,
    {
      onZoom: (factor, about) => plan.zoom(factor, about),
      onDrag: (right, down) => plan.pan(right, down),
      onKey,
      onPoint: (place) => plan.pointAt(place),
      onPress: (place) => events().onPress?.(toPlan(plan.viewport.peek(), place)),
    },
    defaultPressTolerance,
  );
  return () => {
    stop();
    element.removeEventListener('focus', onFocus);
    element.removeEventListener('blur', onBlur);
  };
}

/** Effects of keys on the plan. */
const byKey: Readonly<Record<string, (plan: Plan) => void>> = {
  ArrowLeft: (plan) => plan.pan(keyStep, 0),
  ArrowRight: (plan) => plan.pan(-keyStep, 0),
  ArrowUp: (plan) => plan.pan(0, keyStep),
  ArrowDown: (plan) => plan.pan(0, -keyStep),
  '+': (plan) => plan.zoom(keyZoom),
  '=': (plan) => plan.zoom(keyZoom),
  '-': (plan) => plan.zoom(1 / keyZoom),
};

function moveByKey(plan: Plan, key: string): boolean {
  const move = byKey[key];
  move?.(plan);
  return move !== undefined;
}

function distance(one: ScreenPoint, other: ScreenPoint): number {
  return Math.hypot(one.left - other.left, one.top - other.top);
}

/** A drag of something on the plan. */
interface Drag {
  /** Identifies the drag: the same object for all changes of one drag (see UndoStack.change). */
  readonly gesture: object;
  /** Movement in mm from the beginning of the drag to the pointer. */
  readonly by: Point;
  /** Position of the pointer. */
  readonly at: PlanPoint;
}

/**
 * Returns the handlers of an element that is dragged on the plan. The plan itself does not move during the drag.
 * @param begin called when a drag begins. It returns a function that is called with each movement
 * @param ended called when it is left
 */
export function useDrag(
  plan: Plan,
  begin: (gesture: object) => (drag: Drag) => void,
  ended: () => void = () => undefined,
) {
  const drag = useRef<((at: PlanPoint) => void) | undefined>(undefined);
  const end = (event: TargetedPointerEvent<HTMLElement>) => {
    if (drag.current === undefined) return;
    event.stopPropagation();
    drag.current = undefined;
    ended();
  };
  return {
    onPointerDown: (event: TargetedPointerEvent<HTMLElement>) => {
      if (event.button !== 0) return;
      event.stopPropagation();
      event.currentTarget.setPointerCapture(event.pointerId);
      const gesture = {};
      const from = pointOf(plan, event);
      const goOn = begin(gesture);
      drag.current = (at) => goOn({ gesture, at, by: millimetres({ x: at.x - from.x, y: at.y - from.y }) });
    },
    onPointerMove: (event: TargetedPointerEvent<HTMLElement>) => {
      if (drag.current === undefined) return;
      event.stopPropagation();
      drag.current(pointOf(plan, event));
    },
    onPointerUp: end,
    onPointerCancel: end,
  };
}

function pointOf(plan: Plan, event: TargetedPointerEvent<HTMLElement>): PlanPoint {
  const { left, top } = (event.currentTarget.closest('.plan') ?? event.currentTarget).getBoundingClientRect();
  return toPlan(plan.viewport.peek(), { left: event.clientX - left, top: event.clientY - top });
}

/** The direction that an arrow key moves something in; undefined for other keys. */
export function directionOfKey(key: string): PlanPoint | undefined {
  return directions[key];
}

const directions: Readonly<Record<string, PlanPoint>> = {
  ArrowUp: { x: 1, y: 0 },
  ArrowDown: { x: -1, y: 0 },
  ArrowLeft: { x: 0, y: 1 },
  ArrowRight: { x: 0, y: -1 },
};
