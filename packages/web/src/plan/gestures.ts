import type { Point } from '@azimuth/model';
import type { TargetedPointerEvent } from 'preact';
import { useRef } from 'preact/hooks';
import { millimetres, type Plan, type PlanPoint, type ScreenPoint, toPlan } from './plan.js';

/** What a person does on the plan besides moving it. */
export interface PlanEvents {
  /** A press without a drag. */
  readonly onPress?: ((point: PlanPoint) => void) | undefined;
  /** Enter, at the middle of the view. */
  readonly onEnter?: ((point: PlanPoint) => void) | undefined;
  /** The left or right arrow key. @param steps to the left. @returns whether that was all, so that the plan stays */
  readonly onStep?: ((steps: number) => boolean) | undefined;
}

/** CSS pixels that a pointer may move in a press. */
const pressWithin = 5;
/** CSS pixels that an arrow key moves the plan by. */
const keyStep = 60;
const keyZoom = 1.25;

/**
 * Moves a plan by what is done on its element: wheel and pinch zoom about the pointer, a drag moves it, so do the arrow
 * keys; `+` and `-` zoom, and with the keyboard, the middle of the view is the pointer. What an element on the plan handles
 * itself, it keeps from the plan by `stopPropagation`.
 * @returns stops it
 */
export function followGestures(element: HTMLElement, plan: Plan, events: () => PlanEvents): () => void {
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
    plan.zoom(Math.exp(-pixels * (event.ctrlKey ? 0.01 : 0.0015)), placeOf(event));
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
      plan.pointAt(place);
      return;
    }
    if (pressed !== undefined && distance(pressed, place) <= pressWithin) return;
    pressed = undefined;
    const other = [...down].find(([id]) => id !== event.pointerId)?.[1];
    if (other === undefined) plan.pan(place.left - before.left, place.top - before.top);
    else pinch(plan, other, before, place);
    down.set(event.pointerId, place);
    plan.pointAt(place);
  };
  const onUp = (event: PointerEvent) => {
    if (!down.delete(event.pointerId) || pressed === undefined) return;
    const place = pressed;
    pressed = undefined;
    if (event.type !== 'pointerup') return;
    plan.pointAt(place);
    events().onPress?.(toPlan(plan.viewport.peek(), place));
  };
  const onLeave = (event: PointerEvent) => {
    if (event.pointerType === 'mouse' && down.size === 0) plan.pointAt(undefined);
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.target !== element || event.ctrlKey || event.metaKey || event.altKey) return;
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
  // The keys need the focus.
  element.tabIndex = 0;
  element.addEventListener('wheel', onWheel, { passive: false });
  element.addEventListener('pointerdown', onDown);
  element.addEventListener('pointermove', onMove);
  element.addEventListener('pointerup', onUp);
  element.addEventListener('pointercancel', onUp);
  element.addEventListener('pointerleave', onLeave);
  element.addEventListener('keydown', onKey);
  element.addEventListener('focus', onFocus);
  element.addEventListener('blur', onBlur);
  return () => {
    element.removeEventListener('wheel', onWheel);
    element.removeEventListener('pointerdown', onDown);
    element.removeEventListener('pointermove', onMove);
    element.removeEventListener('pointerup', onUp);
    element.removeEventListener('pointercancel', onUp);
    element.removeEventListener('pointerleave', onLeave);
    element.removeEventListener('keydown', onKey);
    element.removeEventListener('focus', onFocus);
    element.removeEventListener('blur', onBlur);
  };
}

/** One finger moves while the other rests: zooms by their distance, about the one that rests. */
function pinch(plan: Plan, rest: ScreenPoint, before: ScreenPoint, after: ScreenPoint): void {
  const was = distance(rest, before);
  if (was < 1) return;
  plan.zoom(distance(rest, after) / was, rest);
}

function moveByKey(plan: Plan, key: string): boolean {
  switch (key) {
    case 'ArrowLeft':
      plan.pan(keyStep, 0);
      return true;
    case 'ArrowRight':
      plan.pan(-keyStep, 0);
      return true;
    case 'ArrowUp':
      plan.pan(0, keyStep);
      return true;
    case 'ArrowDown':
      plan.pan(0, -keyStep);
      return true;
    case '+':
    case '=':
      plan.zoom(keyZoom);
      return true;
    case '-':
      plan.zoom(1 / keyZoom);
      return true;
    default:
      return false;
  }
}

function distance(one: ScreenPoint, other: ScreenPoint): number {
  return Math.hypot(one.left - other.left, one.top - other.top);
}

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
