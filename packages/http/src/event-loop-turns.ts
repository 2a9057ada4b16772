import { setImmediate } from 'node:timers';
import { longestTurn } from './limits.js';

type Act = () => void;

/** Acts that wait for the next pass of the event loop, oldest first. */
const waiting: Act[] = [];
/** Time (ms) at which the work of this pass of the event loop began; undefined before it. */
let began: number | undefined;
let isScheduled = false;

/**
 * Runs an act at once, or later if waiting acts already use the time of this pass of the event loop. Between two
 * passes, other clients and timers that are due get their turn. So the acts of one client take some ms and one act
 * more, at most.
 */
export function runOrDefer(act: Act): void {
  begin();
  if (waiting.length > 0 || isOver()) defer(act);
  else act();
}

/** Runs an act in a later pass of the event loop, after all that wait. */
export function defer(act: Act): void {
  waiting.push(act);
  schedule();
}

/** Returns a promise that is fulfilled when it is the turn of the caller. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => defer(resolve));
}

/** Starts to measure the time of this pass of the event loop. */
function begin(): void {
  if (began !== undefined) return;
  began = performance.now();
  schedule();
}

function isOver(): boolean {
  return began !== undefined && performance.now() - began >= longestTurn;
}

function schedule(): void {
  if (isScheduled) return;
  isScheduled = true;
  setImmediate(goOn);
}

function goOn(): void {
  isScheduled = false;
  began = undefined;
  if (waiting.length === 0) return;
  begin();
  // Acts that are added meanwhile wait for the next pass.
  for (let remaining = waiting.length; remaining > 0 && !isOver(); remaining--) waiting.shift()?.();
}
