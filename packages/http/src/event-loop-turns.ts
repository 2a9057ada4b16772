import { longestTurn } from './limits.js';

type Act = () => void;

/** Acts that wait for the next pass of the event loop, the oldest first. */
const waiting: Act[] = [];
/** When the work of this pass of the event loop began (ms); undefined before it. */
let began: number | undefined;
let isScheduled = false;

/**
 * Does this at once, if what waits does not take its turn of the event loop already; later otherwise. Whatever one client has sent
 * together, the others and what is due are served between: one turn of all that waits takes some ms, and one act more at most.
 */
export function takeTurn(act: Act): void {
  begin();
  if (waiting.length > 0 || isOver()) inTurn(act);
  else act();
}

/** Does this in a later pass of the event loop, behind whatever waits. */
export function inTurn(act: Act): void {
  waiting.push(act);
  schedule();
}

/** Fulfilled when it is the turn of the caller. */
export function turn(): Promise<void> {
  return new Promise((resolve) => inTurn(resolve));
}

/** What is done from now on counts until the next pass. */
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
  // Those that come meanwhile wait for the next pass.
  for (let left = waiting.length; left > 0 && !isOver(); left--) waiting.shift()?.();
}
