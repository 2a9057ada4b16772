import {
  type Evaluation,
  type EvaluationGroup,
  EvaluationGroupType,
  extensions,
  type FieldDefinitions,
  fieldRefusals,
  type Point,
  type Refusal,
} from '@azimuth/model';
import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { ofEachScanner, type ScannerLink } from '../connection/scanner-link.js';
import { type Contour, movedBy, type Snap, type SnapStep, withCornerAt, withoutCorner } from './contour.js';
import {
  type Added,
  type DraftChange,
  draftChanges,
  evaluationOf,
  withCopy,
  withEvaluation,
  withGroup,
  withMembership,
  withNewEvaluation,
  withNewGroup,
  withoutEvaluation,
  withoutGroup,
} from './draft.js';
import { type Drawing, type DrawingTool, outlineOf } from './drawing.js';
import { ScannerFields } from './scanner-fields.js';

export const noFields: FieldDefinitions = { evaluations: [], groups: [] };
const { fields } = extensions.members;

/** The fields of a scanner during an edit. Nothing reaches the scanner before `send`. */
export class FieldEditor {
  readonly link: ScannerLink;
  readonly scanner: ScannerFields;
  readonly selection: Signal<Selection | undefined> = signal(undefined);
  /** The drawing in progress; undefined while existing areas are edited. */
  readonly drawing: Signal<Drawing | undefined> = signal(undefined);
  readonly snapStep: Signal<SnapStep> = signal(50);
  readonly snapsToCorners: Signal<boolean> = signal(true);
  readonly snapsToScan: Signal<boolean> = signal(false);
  /** The point of the scan in sight that is near another point, in mm. */
  measuredNear: (point: Point) => Point | undefined = () => undefined;
  /** Time at which teach-in was started here, in ms by performance.now(); undefined if it was not started. */
  readonly teachingSince: Signal<number | undefined> = signal(undefined);
  /**
   * Outline of what the scanner has seen in a teach-in: about the contour that it will make. Empty if there is no
   * teach-in, or if no scans arrive here.
   */
  readonly seenWhileTeaching: Signal<Contour> = signal([]);
  readonly #edits = new UndoStack<FieldDefinitions>(noFields);
  /** The definitions of the scanner when the first edit was made. */
  readonly #begun: Signal<FieldDefinitions> = signal(noFields);

  constructor(link: ScannerLink) {
    this.link = link;
    this.scanner = new ScannerFields(link);
  }

  /** Definitions on the page: the draft, or the definitions of the scanner if nothing was edited. */
  readonly definitions: ReadonlySignal<FieldDefinitions | undefined> = computed(() => {
    const scanners = this.scanner.definitions.value;
    return scanners !== undefined && this.canUndo.value ? this.#edits.present.value : scanners;
  });

  get canUndo(): ReadonlySignal<boolean> {
    return this.#edits.canUndo;
  }

  get canRedo(): ReadonlySignal<boolean> {
    return this.#edits.canRedo;
  }

  /** Changes on the scanner that `send` would make. */
  readonly changes: ReadonlySignal<readonly DraftChange[]> = computed(() => {
    const scanners = this.scanner.definitions.value;
    const draft = this.definitions.value;
    return scanners === undefined || draft === undefined ? [] : draftChanges(scanners, draft);
  });

  /** True if another client has changed the fields of the scanner since the first edit. */
  readonly isOutdated: ReadonlySignal<boolean> = computed(() => {
    const scanners = this.scanner.definitions.value;
    if (!this.canUndo.value || scanners === undefined) return false;
    return draftChanges(this.#begun.value, scanners).length > 0;
  });

  /** Reasons why the scanner would refuse the draft. */
  readonly refusals: ReadonlySignal<readonly Refusal[]> = computed(() => [
    ...fieldRefusals(this.definitions.value ?? noFields, fields.name),
  ]);

  /** The evaluation that is selected. */
  readonly selected: ReadonlySignal<Evaluation | undefined> = computed(() => {
    const selection = this.selection.value;
    const definitions = this.definitions.value;
    if (selection?.kind !== 'evaluation' || definitions === undefined) return undefined;
    return evaluationOf(definitions, selection.id);
  });

  /** @param gesture see UndoStack.change */
  edit(change: (now: FieldDefinitions) => FieldDefinitions, gesture?: unknown): void {
    const scanners = this.scanner.definitions.peek();
    const now = this.definitions.peek();
    if (scanners === undefined || now === undefined) return;
    if (!this.canUndo.peek()) {
      this.#begun.value = scanners;
      this.#edits.reset(scanners);
    }
    this.#edits.change(change(now), gesture);
  }

  editEvaluation(id: number, changed: Partial<Omit<Evaluation, 'Id'>>, gesture?: unknown): void {
    this.edit((now) => withEvaluation(now, id, changed), gesture);
  }

  editGroup(id: number, changed: Partial<Omit<EvaluationGroup, 'Id'>>, gesture?: unknown): void {
    this.edit((now) => withGroup(now, id, changed), gesture);
  }

  /** Adds an evaluation to a group, or removes it. */
  setMember(group: number, evaluation: number, isMember: boolean): void {
    this.edit((now) => withMembership(now, group, evaluation, isMember));
  }

  undo(): void {
    this.#edits.undo();
  }

  redo(): void {
    this.#edits.redo();
  }

  discard(): void {
    this.#edits.reset(this.scanner.definitions.peek() ?? noFields);
    this.drawing.value = undefined;
  }

  /** @throws ClientError; the draft stays */
  async send(): Promise<void> {
    const draft = this.definitions.peek();
    if (draft === undefined) return;
    await this.scanner.send(draft);
    this.discard();
  }

  select(id: number, part?: EvaluationPart): void {
    this.selection.value = { kind: 'evaluation', id, part };
  }

  draw(tool: DrawingTool | undefined): void {
    this.drawing.value = tool === undefined ? undefined : { tool, points: [] };
  }

  /**
   * Uses the finished drawing: if the selected evaluation has no contour yet, it gets the drawing; otherwise the
   * drawing becomes a new evaluation.
   */
  finishDrawing(): void {
    const drawing = this.drawing.peek();
    if (drawing === undefined || this.definitions.peek() === undefined) return;
    const selected = this.selected.peek();
    const outline = outlineOf(drawing);
    this.drawing.value = undefined;
    if (drawing.tool === 'line') {
      if (selected !== undefined) this.editEvaluation(selected.Id, { ReferenceLine: outline });
    } else if (selected?.Points.length === 0) this.editEvaluation(selected.Id, { Points: outline });
    else this.add({ Points: outline });
  }

  /** Adds an evaluation, and selects it. */
  add(given: Partial<Omit<Evaluation, 'Id'>>): void {
    this.#add('evaluation', (now) => withNewEvaluation(now, given));
  }

  /** Adds a copy of an evaluation, and selects it. */
  copy(id: number): void {
    this.#add('evaluation', (now) => withCopy(now, id));
  }

  /** Adds a group, and selects it. */
  addGroup(): void {
    this.#add('group', (now) => withNewGroup(now, {}));
  }

  /** Removes an evaluation or a group. Nothing is selected then. */
  remove(kind: 'evaluation' | 'group', id: number): void {
    this.edit((now) => (kind === 'group' ? withoutGroup(now, id) : withoutEvaluation(now, id)));
    this.selection.value = undefined;
  }

  #add(kind: 'evaluation' | 'group', adding: (now: FieldDefinitions) => Added | undefined): void {
    const now = this.definitions.peek();
    const added = now && adding(now);
    if (added === undefined) return;
    this.edit(() => added.definitions);
    this.selection.value = { kind, id: added.id };
  }

  /** Moves a corner of a contour or an end of a line to a point. */
  movePart(id: number, { of, index }: EvaluationPart, to: Point, gesture?: unknown): void {
    const evaluation = this.#evaluation(id);
    if (evaluation === undefined) return;
    this.editEvaluation(id, { [of]: withCornerAt(evaluation[of], index, to) }, gesture);
  }

  /** Moves the whole area, with its reference line. @param from the evaluation before the gesture began */
  moveArea(from: Evaluation, by: Point, gesture?: unknown): void {
    const { Id, Points, ReferenceLine } = from;
    const moved = movedBy([...Points, ...ReferenceLine], by);
    const changed = { Points: moved.slice(0, Points.length), ReferenceLine: moved.slice(Points.length) };
    this.editEvaluation(Id, changed, gesture);
  }

  deletePart(id: number, { of, index }: EvaluationPart): void {
    const evaluation = this.#evaluation(id);
    if (evaluation === undefined) return;
    const left = withoutCorner(evaluation[of], index);
    // Two points are not an area, and one is not a line.
    const isEnough = of === 'Points' ? left.length > 2 : left.length > 1;
    this.editEvaluation(id, { [of]: isEnough ? left : [] });
    this.select(id);
  }

  /**
   * Returns the point to which a point snaps.
   * @param reach mm.
   * @param moved the evaluation whose own corners do not count
   */
  snap(reach: number, moved?: number): Snap {
    const others = this.definitions.peek()?.evaluations.filter(({ Id }) => Id !== moved) ?? [];
    const corners = others.flatMap(({ Points, ReferenceLine }) => [...Points, ...ReferenceLine]);
    return {
      step: this.snapStep.peek(),
      corners: this.snapsToCorners.peek() ? corners : [],
      reach,
      measuredNear: this.snapsToScan.peek() ? this.measuredNear : undefined,
    };
  }

  #evaluation(id: number): Evaluation | undefined {
    const definitions = this.definitions.peek();
    return definitions && evaluationOf(definitions, id);
  }
}

/** Evaluations of this type watch an area; the others measure distances in it. */
export function isField({ Type }: Evaluation): boolean {
  return Type === EvaluationGroupType.FIELD_EVALUATION;
}

/** The editor of a scanner. Edits stay when another page is shown. */
export const editorOf = ofEachScanner((link) => new FieldEditor(link));

/** A part of an evaluation that a person moves: a corner of its contour, or an end of its reference line. */
export type EvaluationPart = { readonly of: 'Points' | 'ReferenceLine'; readonly index: number };

/** Content of the inspector. */
type Selection =
  | { readonly kind: 'evaluation'; readonly id: number; readonly part?: EvaluationPart | undefined }
  | { readonly kind: 'group'; readonly id: number }
  | { readonly kind: 'teach-in' };

/** The part of the address that names the selection: `3`, `group-1`, `teach-in`. */
export function addressOf(selection: Selection | undefined): string {
  if (selection === undefined) return '';
  if (selection.kind === 'teach-in') return 'teach-in';
  return selection.kind === 'group' ? `group-${selection.id}` : String(selection.id);
}

export function selectionAt(address: string): Selection | undefined {
  if (address === 'teach-in') return { kind: 'teach-in' };
  const [, group, number] = /^(group-)?(\d{1,2})$/.exec(address) ?? [];
  if (number === undefined) return undefined;
  return { kind: group === undefined ? 'evaluation' : 'group', id: Number(number) };
}

interface Steps<T> {
  readonly past: readonly T[];
  readonly present: T;
  readonly future: readonly T[];
}

const mostSteps = 200;

/** A value with the steps that led to it, and the undone steps. */
export class UndoStack<T extends object> {
  readonly #steps: Signal<Steps<T>>;
  #gesture: unknown;

  constructor(initial: T) {
    this.#steps = signal({ past: [], present: initial, future: [] });
  }

  readonly present: ReadonlySignal<T> = computed(() => this.#steps.value.present);
  readonly canUndo: ReadonlySignal<boolean> = computed(() => this.#steps.value.past.length > 0);
  readonly canRedo: ReadonlySignal<boolean> = computed(() => this.#steps.value.future.length > 0);

  /**
   * Makes a step. Undone steps are lost.
   * @param gesture what the person does now, if one gesture makes many changes: those with the same gesture, one after
   * another, are one step
   */
  change(next: T, gesture?: unknown): void {
    const { past, present } = this.#steps.peek();
    if (next === present) return;
    const goesOn = gesture !== undefined && gesture === this.#gesture;
    this.#gesture = gesture;
    this.#steps.value = {
      past: goesOn ? past : [...past, present].slice(-mostSteps),
      present: next,
      future: [],
    };
  }

  undo(): void {
    const { past, present, future } = this.#steps.peek();
    const before = past.at(-1);
    if (before === undefined) return;
    this.#gesture = undefined;
    this.#steps.value = { past: past.slice(0, -1), present: before, future: [present, ...future] };
  }

  redo(): void {
    const { past, present, future } = this.#steps.peek();
    const [next, ...rest] = future;
    if (next === undefined) return;
    this.#gesture = undefined;
    this.#steps.value = { past: [...past, present], present: next, future: rest };
  }

  /** Forgets all steps. */
  reset(value: T): void {
    this.#gesture = undefined;
    this.#steps.value = { past: [], present: value, future: [] };
  }
}
