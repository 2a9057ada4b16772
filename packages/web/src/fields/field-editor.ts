import {
  type Evaluation,
  type EvaluationGroup,
  EvaluationGroupType,
  extensions,
  type FieldDefinitions,
  fieldRefusals,
  inputsAndOutputs,
  type Point,
  type Refusal,
  sameJson,
} from '@azimuth/model';
import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { knownValue } from '../connection/declarations.js';
import { ofEachScanner, type ScannerLink } from '../connection/scanner-link.js';
import { type Contour, movedBy, type Snap, type SnapStep, withCornerAt, withoutCorner } from './contour.js';
import {
  type Added,
  type DraftChange,
  draftChanges,
  evaluationOf,
  portChanges,
  type Wired,
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
import { EditHistory } from './edit-history.js';
import { ScannerFields } from './scanner-fields.js';
import { keyOf, type Wire, wiresIn } from './wires.js';

export const noFields: FieldDefinitions = { evaluations: [], groups: [] };
const nothingWired: Wired = { definitions: noFields, ports: undefined };
const { fields } = extensions.members;
const { PortConfiguration } = inputsAndOutputs.members;

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
  readonly #edits = new EditHistory<Wired>(sameJson);
  /** State of the scanner when the draft was begun, or when it was sent last. */
  readonly #begun: Signal<Wired | undefined> = signal(undefined);

  constructor(link: ScannerLink) {
    this.link = link;
    this.scanner = new ScannerFields(link);
  }

  /** State of the scanner; undefined until it is known. */
  readonly onScanner: ReadonlySignal<Wired | undefined> = computed(() => {
    const definitions = this.scanner.definitions.value;
    return definitions && { definitions, ports: knownValue(this.link, PortConfiguration) };
  });

  /** Content of the page: the draft, or what the scanner has if nothing was edited. */
  readonly wired: ReadonlySignal<Wired | undefined> = computed(() => {
    const scanners = this.onScanner.value;
    return scanners && (this.#edits.draft.value ?? scanners);
  });

  /** Definitions on the page. */
  readonly definitions: ReadonlySignal<FieldDefinitions | undefined> = computed(
    () => this.wired.value?.definitions,
  );

  get canUndo(): ReadonlySignal<boolean> {
    return this.#edits.canUndo;
  }

  get canRedo(): ReadonlySignal<boolean> {
    return this.#edits.canRedo;
  }

  /** Changes on the scanner that `send` would make. */
  readonly changes: ReadonlySignal<readonly DraftChange[]> = computed(() => {
    const scanners = this.onScanner.value;
    const draft = this.wired.value;
    return scanners === undefined || draft === undefined ? [] : changesOf(scanners, draft);
  });

  /** Lines of the wiring that the scanner does not have. */
  readonly unsentWires: ReadonlySignal<readonly Wire[]> = computed(() => {
    const scanners = new Set(wiresIn(this.onScanner.value ?? nothingWired).map(keyOf));
    return wiresIn(this.wired.value ?? nothingWired).filter((wire) => !scanners.has(keyOf(wire)));
  });

  /** True if another client has changed the fields or ports of the scanner since the first edit. */
  readonly isOutdated: ReadonlySignal<boolean> = computed(() => {
    const scanners = this.onScanner.value;
    const begun = this.#begun.value;
    if (this.#edits.draft.value === undefined || scanners === undefined || begun === undefined) return false;
    return changesOf(begun, scanners).length > 0;
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

  /** @param gesture see EditHistory.change */
  edit(change: (now: FieldDefinitions) => FieldDefinitions, gesture?: unknown): void {
    this.rewire(({ definitions, ports }) => ({ definitions: change(definitions), ports }), gesture);
  }

  /** Edits fields and ports in one step. @param gesture see EditHistory.change */
  rewire(change: (now: Wired) => Wired, gesture?: unknown): void {
    const scanners = this.onScanner.peek();
    const now = this.wired.peek();
    if (scanners === undefined || now === undefined) return;
    if (this.#edits.draft.peek() === undefined) this.#begun.value = scanners;
    this.#edits.change(now, change(now), gesture);
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
    const scanners = this.onScanner.peek();
    if (scanners === undefined) return;
    this.#begun.value ??= scanners;
    this.#edits.undo(scanners);
  }

  redo(): void {
    const scanners = this.onScanner.peek();
    if (scanners !== undefined) this.#edits.redo(scanners);
  }

  /** Drops the draft. It can be undone. */
  discard(): void {
    const scanners = this.onScanner.peek();
    if (scanners !== undefined) this.#edits.discard(scanners);
    this.drawing.value = undefined;
  }

  /**
   * Sends the draft: the fields first, then the ports. Edits that are made meanwhile stay in the draft.
   * @throws ClientError; the draft stays. If the ports are refused, the scanner has the fields already
   */
  async send(): Promise<void> {
    const draft = this.wired.peek();
    const scanners = this.onScanner.peek();
    if (draft === undefined || scanners === undefined) return;
    const sending = async () => {
      if (!sameJson(draft.definitions, scanners.definitions)) await this.scanner.send(draft.definitions);
      if (draft.ports !== undefined && !sameJson(draft.ports, scanners.ports)) {
        await this.link.write(PortConfiguration.name, draft.ports);
      }
    };
    await this.#edits.send(draft, sending, () => this.onScanner.peek() ?? scanners);
    this.drawing.value = undefined;
    this.#begun.value = this.onScanner.peek();
  }

  /**
   * Runs a command after which the scanner changes its fields itself, and reads them again. It can be undone.
   * @returns the changes
   * @throws ClientError
   */
  async changedByScanner(command: () => Promise<unknown>): Promise<readonly DraftChange[]> {
    const before = this.onScanner.peek();
    await command();
    await this.scanner.readAgain();
    const after = this.onScanner.peek();
    if (before === undefined || after === undefined) return [];
    const changes = changesOf(before, after);
    if (changes.length > 0) {
      this.#edits.happened(before);
      this.#begun.value = after;
    }
    return changes;
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

function changesOf(before: Wired, after: Wired): readonly DraftChange[] {
  return [
    ...draftChanges(before.definitions, after.definitions),
    ...portChanges(before.ports ?? [], after.ports ?? []),
  ];
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
  | { readonly kind: 'port'; readonly id: number }
  | { readonly kind: 'wire'; readonly wire: Wire }
  | { readonly kind: 'teach-in' | 'copy' };

/** The part of the address that names the selection: `3`, `group-1`, `port-2`, `output-3-2`, `teach-in`. */
export function addressOf(selection: Selection | undefined): string {
  if (selection === undefined) return '';
  switch (selection.kind) {
    case 'evaluation':
      return String(selection.id);
    case 'wire':
      return keyOf(selection.wire);
    case 'group':
    case 'port':
      return `${selection.kind}-${selection.id}`;
    default:
      return selection.kind;
  }
}

export function selectionAt(address: string): Selection | undefined {
  if (address === 'teach-in' || address === 'copy') return { kind: address };
  const [, kind, from, to] = /^(contour|output)-(\d{1,2})-(\d{1,2})$/.exec(address) ?? [];
  if (kind === 'contour' || kind === 'output') {
    return { kind: 'wire', wire: { kind, from: Number(from), to: Number(to) } };
  }
  const [, of, number] = /^(?:(group|port)-)?(\d{1,2})$/.exec(address) ?? [];
  if (number === undefined) return undefined;
  return { kind: of === 'group' || of === 'port' ? of : 'evaluation', id: Number(number) };
}
