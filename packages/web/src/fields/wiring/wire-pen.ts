import { type Signal, signal } from '@preact/signals';
import { ofEachScanner } from '../../connection/scanner-link.js';
import { type LiveState, liveStateOf } from '../../ports/port-words.js';
import type { Wired } from '../draft.js';
import type { FieldEditor } from '../field-editor.js';
import {
  type Dot,
  dotsOf,
  keyOf,
  type Wire,
  wireBetween,
  withoutWire,
  withWire,
  withWireMoved,
} from '../wires.js';
import { type Judgement, judged, removalRefusal, type WiringLimits } from '../wiring-rules.js';

/** A line that is being drawn. */
export interface BegunWire {
  /** Where it begins. */
  readonly from: Dot;
  /** The line whose other end is moved; undefined for a new line. */
  readonly moved: Wire | undefined;
}

/** Message about the line that is being drawn. */
export interface Told {
  readonly severity: 'hint' | 'caution' | 'refusal';
  readonly text: string;
}

/** Draws and removes lines of the wiring, and says what the scanner's rules do not allow. */
export class WirePen {
  readonly #editor: FieldEditor;
  readonly begun: Signal<BegunWire | undefined> = signal(undefined);
  readonly told: Signal<Told | undefined> = signal(undefined);

  constructor(editor: FieldEditor) {
    this.#editor = editor;
  }

  get limits(): WiringLimits {
    return {
      definable: this.#editor.scanner.definable.value,
      lacksPort: (number) => portStateOf(this.#editor, number).kind === 'missing',
    };
  }

  /** Begins a line. @param moved the line whose other end is moved */
  begin(from: Dot, moved?: Wire): void {
    this.begun.value = { from, moved };
    this.told.value = { severity: 'hint', text: targetHint(from) };
  }

  cancel(): void {
    this.begun.value = undefined;
    this.told.value = undefined;
  }

  /** True if the line that is being drawn can end at a dot of this kind. */
  isTarget(dot: Dot): boolean {
    const begun = this.begun.value;
    return begun !== undefined && wireBetween(begun.from, dot) !== undefined;
  }

  /** Judges the line that is being drawn as if it ended here; undefined if no line can join them. */
  judge(target: Dot): Judgement | undefined {
    const begun = this.begun.value;
    const wired = this.#editor.wired.value;
    const wire = begun && wireBetween(begun.from, target);
    if (begun === undefined || wire === undefined || wired === undefined) return undefined;
    const { moved } = begun;
    if (moved !== undefined && keyOf(moved) === keyOf(wire)) return { cautions: [] };
    const fixed =
      moved !== undefined && moved.to !== wire.to ? removalRefusal(moved, this.limits) : undefined;
    if (fixed !== undefined) return { refusal: fixed, cautions: [] };
    return judged(wired, wire, this.limits);
  }

  /** Says what would happen at this dot. */
  hover(target: Dot | undefined): void {
    const begun = this.begun.peek();
    if (begun === undefined) return;
    const judgement = target && this.judge(target);
    this.told.value = (judgement && toldOf(judgement)) ?? { severity: 'hint', text: targetHint(begun.from) };
  }

  /** Ends the line at this dot. @returns false if that is not allowed; then it is still being drawn */
  end(target: Dot): boolean {
    const begun = this.begun.peek();
    const judgement = this.judge(target);
    const wire = begun && wireBetween(begun.from, target);
    if (begun === undefined || wire === undefined || judgement === undefined) return false;
    this.told.value = toldOf(judgement);
    if (judgement.refusal !== undefined) return false;
    const { moved } = begun;
    this.begun.value = undefined;
    if (moved === undefined) this.#draw((wired) => withWire(wired, wire));
    else if (keyOf(moved) !== keyOf(wire)) this.#draw((wired) => withWireMoved(wired, moved, wire));
    this.#editor.selection.value = { kind: 'wire', wire };
    return true;
  }

  /** Removes a line. @returns false if that is not allowed */
  remove(wire: Wire): boolean {
    const text = removalRefusal(wire, this.limits);
    this.told.value = text === undefined ? undefined : { severity: 'refusal', text };
    if (text !== undefined) return false;
    this.#draw((wired) => withoutWire(wired, wire));
    this.#editor.selection.value = undefined;
    return true;
  }

  /** Draws a line with another end in the place of a line. */
  move(wire: Wire, next: Wire): boolean {
    const [from, to] = dotsOf(next);
    const keepsStart = wire.from === next.from;
    this.begin(keepsStart ? from : to, wire);
    const isDone = this.end(keepsStart ? to : from);
    if (!isDone) this.begun.value = undefined;
    return isDone;
  }

  #draw(change: (wired: Wired) => Wired): void {
    this.#editor.rewire(change);
  }
}

/** The pen of an editor. A line that is begun stays on this page. */
export const wirePenOf = ofEachScanner<WirePen, FieldEditor>((editor) => new WirePen(editor));

/** The state of a port. @param number from 1 */
export function portStateOf({ link, wired }: FieldEditor, number: number): LiveState {
  const port = wired.value?.ports?.[number - 1];
  return port === undefined
    ? { kind: 'unavailable' }
    : liveStateOf(number - 1, port, (name) => link.value(name));
}

function targetHint({ kind, end }: Dot): string {
  const target =
    kind === 'contour'
      ? end === 'from'
        ? 'an evaluation'
        : 'a field'
      : end === 'from'
        ? 'an output'
        : 'an evaluation';
  return `Choose ${target}. Escape cancels.`;
}

function toldOf({ refusal, cautions }: Judgement): Told | undefined {
  if (refusal !== undefined) return { severity: 'refusal', text: refusal };
  return cautions.length === 0 ? undefined : { severity: 'caution', text: cautions.join(' ') };
}
