import {
  type Evaluation,
  EvaluationGroupState,
  extensions,
  type FieldDefinitions,
  FieldState,
  fieldEvaluation,
  sameJson,
} from '@azimuth/model';
import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { knownValue } from '../connection/declarations.js';
import { type ScannerLink, wireName } from '../connection/scanner-link.js';
import { fieldResults, groupStates } from '../plan/field-areas.js';

const { fields } = extensions.members;
const { FieldEvaluationGroupState, FieldEvaluationResult, SetFieldEvaluationContour } =
  fieldEvaluation.members;

/**
 * Definitions that a client may change: `all`, evaluations and groups with all their settings; `contours`, the outlines
 * of existing evaluations; `nothing`, on releases that are too old.
 */
export type Definable = 'unknown' | 'all' | 'contours' | 'nothing';

type ContourOfField = Pick<Evaluation, 'Points' | 'LowerZLimit' | 'UpperZLimit'>;

/** The definitions of fields as a scanner has them, read and sent in the way that it offers. */
export class ScannerFields {
  readonly #link: ScannerLink;
  readonly #contours: Signal<ReadonlyMap<number, ContourOfField> | undefined> = signal(undefined);

  constructor(link: ScannerLink) {
    this.#link = link;
  }

  readonly definable: ReadonlySignal<Definable> = computed(() => {
    const reading = this.#link.readings.of(wireName(fields.name)).value;
    const edition = this.#link.edition.value;
    if (reading.state === 'known') return 'all';
    if (reading.state === 'waiting' || edition === undefined) return 'unknown';
    // A scanner without extensions may answer in words that are not of the interface.
    if (reading.state === 'failed' && this.#link.state.value.kind !== 'polling') return 'unknown';
    return SetFieldEvaluationContour.isIn(edition) ? 'contours' : 'nothing';
  });

  /** Undefined until they are known. Contours that are read one by one are empty before `readContours`. */
  readonly definitions: ReadonlySignal<FieldDefinitions | undefined> = computed(() => {
    const definable = this.definable.value;
    if (definable === 'unknown') return undefined;
    return definable === 'all' ? knownValue(this.#link, fields) : this.#fromResults();
  });

  /** True if `readContours` must be called before the outlines are known. */
  readonly lackContours: ReadonlySignal<boolean> = computed(
    () => this.definable.value === 'contours' && this.#contours.value === undefined,
  );

  /** True if the outlines are known, and can be changed. */
  readonly knowsContours: ReadonlySignal<boolean> = computed(() => {
    const definable = this.definable.value;
    return definable === 'all' || (definable === 'contours' && this.#contours.value !== undefined);
  });

  /**
   * Reads the outlines one by one.
   * @throws ClientError
   */
  async readContours(): Promise<void> {
    const contours = new Map<number, ContourOfField>();
    for (const { Id } of this.definitions.peek()?.evaluations ?? []) {
      const { Contour } = await this.#link.scanner.call('GetFieldEvaluationContour', { EvaluationId: Id });
      const [contour] = Contour;
      if (contour !== undefined) contours.set(Id, contourOf(contour));
    }
    this.#contours.value = contours;
  }

  /**
   * Reads the definitions again after the scanner has changed them by itself.
   * @throws ClientError
   */
  async readAgain(): Promise<void> {
    if (this.definable.peek() !== 'all') {
      if (this.#contours.peek() !== undefined) await this.readContours();
      return;
    }
    const name = wireName(fields.name);
    this.#link.readings.update({ [name]: await this.#link.scanner.readAny(name) });
  }

  /**
   * Makes the scanner's definitions those of the draft.
   * @throws ClientError; changes before the error stay on the scanner
   */
  async send(draft: FieldDefinitions): Promise<void> {
    if (this.definable.peek() === 'all') {
      await this.#link.write(fields.name, draft);
      return;
    }
    const before = this.definitions.peek();
    for (const evaluation of draft.evaluations) {
      const { Id } = evaluation;
      const contour = contourOf(evaluation);
      const known = before?.evaluations.find((one) => one.Id === Id);
      if (known !== undefined && sameJson(contour, contourOf(known))) continue;
      await this.#link.call(SetFieldEvaluationContour.name, { EvaluationId: Id, ...contour });
      this.#contours.value = new Map(this.#contours.peek()).set(Id, contour);
    }
  }

  /** Definitions from the results of a scanner that does not show its definitions. */
  #fromResults(): FieldDefinitions {
    const contours = this.#contours.value;
    const results = [...fieldResults(this.#link.value(FieldEvaluationResult.name))];
    const states = [...groupStates(this.#link.value(FieldEvaluationGroupState.name))];
    return fields.type.fromJson(
      {
        evaluations: results
          .filter(([, { state }]) => state !== FieldState.NOT_CONFIGURED)
          .map(([Id]) => ({ ...contours?.get(Id), Id })),
        groups: states
          .filter(([, state]) => state !== EvaluationGroupState.NOT_CONFIGURED)
          .map(([Id]) => ({ Id, Evaluations: [] })),
      },
      fields.name,
    );
  }
}

function contourOf({ Points, LowerZLimit, UpperZLimit }: ContourOfField): ContourOfField {
  return { Points, LowerZLimit, UpperZLimit };
}
