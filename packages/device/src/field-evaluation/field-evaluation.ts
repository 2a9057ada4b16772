import { isDeepStrictEqual } from 'node:util';
import {
  type Evaluation,
  EvaluationGroupState,
  EvaluationGroupType,
  evaluationSlots,
  extensions,
  type FieldDefinitions,
  FieldState,
  fieldEvaluation,
  isFrom,
  mostActiveEvaluations,
  type ValueOf,
} from '@azimuth/model';
import type { Announcements } from '../announcements.js';
import type { DeviceTime } from '../clock/device-time.js';
import { computed, type Feature, method } from '../feature.js';
import type { FirmwareRecord } from '../firmware-record.js';
import type { Clock } from '../interfaces/environment.js';
import type { Conditions } from '../lifecycle/conditions.js';
import type { Measuring } from '../measuring/measuring.js';
import { isAtRest } from '../measuring/measuring-state.js';
import type { Parameters } from '../parameters/parameters.js';
import { PerpendicularDistances } from '../perpendicular-distance/perpendicular-distance.js';
import { type BeamFan, beamFan, type Scan, type ScanGeometry, sameGeometry } from '../scan/scan.js';
import { ActiveFields, type InfringedField } from './active-fields.js';
import { ActiveGroups, type Inputs } from './active-groups.js';
import type { FieldStateNumber } from './field.js';

const { fields } = extensions.members;
const {
  FieldEvaluationResult,
  FieldEvaluationGroupState,
  EvaluationGroupType: GroupTypes,
  ActivateEvaluationGroup,
} = fieldEvaluation.members;

const slots = Array.from({ length: evaluationSlots }, (_, index) => index + 1);

/** A newly infringed field, with place and time. */
export interface Infringement extends InfringedField {
  /** ms since 1970 UTC, by the device clock. */
  readonly timestamp: number;
}

interface FieldOptions {
  readonly parameters: Parameters;
  readonly announcements: Announcements;
  readonly measuring: Measuring;
  readonly clock: Clock;
  readonly conditions: Conditions;
  readonly time: DeviceTime;
  readonly ports: Inputs;
  readonly firmware: Pick<FirmwareRecord, 'release'>;
}

/**
 * State of the evaluation of scans.
 *
 * | from | by | to |
 * |---|---|---|
 * | idle | a field is active, and the scanner measures | reliable |
 * | reliable | measurements are not reliable | unknown |
 * | unknown | a reliable scan | reliable |
 * | reliable, unknown | no field is active | idle |
 */
type Watch =
  | { readonly state: 'idle' }
  /** @property state `unknown`: the states of fields are unknown */
  | { readonly state: 'reliable' | 'unknown'; readonly end: () => void };

/**
 * Evaluates the active fields and perpendicular distances in every scan. It receives scans only while an evaluation is
 * active. All evaluations are inactive while nothing is measured, while no scans come, and, from release 2.1.0 on,
 * while more than 20 are active.
 */
export class FieldEvaluation implements Feature {
  readonly computed = [
    computed(FieldEvaluationResult, () => this.result),
    computed(FieldEvaluationGroupState, () => this.groupStates),
    computed(GroupTypes, () => this.groupTypes, [fields]),
  ];
  readonly methods = [method(ActivateEvaluationGroup, ({ List }) => ({ Success: this.activate(List) }))];
  /** Least and greatest distances from reference lines. */
  readonly distances: PerpendicularDistances;
  readonly #options: FieldOptions;
  readonly #groups: ActiveGroups;
  readonly #listeners = new Set<(infringement: Infringement) => void>();
  readonly #fields: ActiveFields;
  #up = false;
  #tooMany = false;
  #fan: BeamFan | undefined;
  #watch: Watch = { state: 'idle' };
  #infringedAt = 0;
  /** The announced states, and the signals of outputs. */
  #states: readonly (readonly [FieldStateNumber, boolean])[] = [];
  #groupStates: ValueOf<'FieldEvaluationGroupState'> = [];

  constructor(options: FieldOptions) {
    this.#options = options;
    this.#groups = new ActiveGroups(options.ports);
    this.#fields = new ActiveFields(options.clock, (infringed) => this.#statesChanged(infringed));
    this.distances = new PerpendicularDistances(options.announcements, options.time);
    options.conditions.onChange(() => this.#updateEvaluations());
    options.ports.onInput(() => this.#updateEvaluations());
    options.announcements.subscribeTo([fields], () => this.#definitionsChanged());
  }

  /** True if more than 20 evaluations are active. None is evaluated then. */
  get tooMany(): boolean {
    return this.#tooMany;
  }

  /** Called at a boot: groups return to their initial activation, and every field is free. */
  boot(): void {
    this.#infringedAt = 0;
    this.#fan = undefined;
    this.#groups.boot();
    this.#stop();
    this.#up = true;
    this.#updateEvaluations();
  }

  /** Called when the scanner goes down, for a reboot or for good. */
  down(): void {
    this.#up = false;
    this.#updateEvaluations();
  }

  /** Remembers the active groups and the states of fields. The last scan counts until the next one. */
  remember(): () => void {
    const parts = [this.#groups.remember(), this.#fields.remember()];
    const infringedAt = this.#infringedAt;
    return () => {
      for (const putBack of parts) putBack();
      this.#infringedAt = infringedAt;
      // Starts and stops what the definitions need.
      this.#updateEvaluations();
    };
  }

  /** Calls `listener` when a field becomes infringed. */
  onInfringed(listener: (infringement: Infringement) => void): void {
    this.#listeners.add(listener);
  }

  /** Switches groups by telegram. Returns true for each group that exists and that telegrams switch. */
  activate(list: readonly { readonly GroupId: number; readonly Activate: boolean }[]): readonly boolean[] {
    const { groups } = this.#definitions;
    const success = list.map(({ GroupId, Activate }) => this.#groups.activate(groups, GroupId, Activate));
    this.#updateEvaluations();
    return success;
  }

  /** The state of a field by its number. NOT_CONFIGURED if there is no such field. */
  stateOf(evaluation: number): FieldStateNumber {
    const running = this.#fields.at(evaluation);
    if (running !== undefined) return running.state;
    const defined = this.#definitions.evaluations.find(({ Id }) => Id === evaluation);
    return defined?.Type === EvaluationGroupType.FIELD_EVALUATION
      ? FieldState.INACTIVE
      : FieldState.NOT_CONFIGURED;
  }

  /** True if a field is infringed, and has not been free for long enough since. */
  infringed(evaluation: number): boolean {
    return this.#fields.at(evaluation)?.infringed ?? false;
  }

  /** True if an output that follows a field is active: see Field.signal. */
  signal(evaluation: number): boolean {
    return this.#fields.at(evaluation)?.signal ?? false;
  }

  /** The value of FieldEvaluationResult. */
  get result(): ValueOf<'FieldEvaluationResult'> {
    return {
      Version: 1,
      Timestamp: this.#infringedAt,
      EvaluationResultList: slots.map((id) => ({
        State: this.stateOf(id),
        Positions: this.#fields.at(id)?.positions ?? [],
      })),
    };
  }

  /** The value of FieldEvaluationGroupState. */
  get groupStates(): ValueOf<'FieldEvaluationGroupState'> {
    const { groups } = this.#definitions;
    return slots.map((id) => {
      const group = groups.find(({ Id }) => Id === id);
      if (group === undefined) return EvaluationGroupState.NOT_CONFIGURED;
      return this.#groups.isActive(group) ? EvaluationGroupState.ACTIVE : EvaluationGroupState.INACTIVE;
    });
  }

  /** The value of EvaluationGroupType: the type of the evaluations of each group; FIELD_EVALUATION for an empty group. */
  get groupTypes(): ValueOf<'EvaluationGroupType'> {
    const { groups, evaluations } = this.#definitions;
    return slots.map((id) => {
      const [first] = groups.find(({ Id }) => Id === id)?.Evaluations ?? [];
      return evaluations.find(({ Id }) => Id === first)?.Type ?? EvaluationGroupType.FIELD_EVALUATION;
    });
  }

  get #definitions(): FieldDefinitions {
    return this.#options.parameters.read(fields);
  }

  #definitionsChanged(): void {
    this.#groups.definitionsChanged(this.#definitions.groups);
    this.#updateEvaluations();
  }

  /** Starts newly active evaluations, and stops inactive ones. */
  #updateEvaluations(): void {
    const active = this.#up ? this.#activeEvaluations() : [];
    const { count, from } = mostActiveEvaluations;
    this.#setTooMany(active.length > count && isFrom(this.#options.firmware.release, from));
    const wanted = this.#tooMany || isAtRest(this.#options.conditions) ? [] : active;
    const evaluated = this.#watch.state === 'unknown' ? [] : wanted;
    this.#fields.evaluate(evaluated.filter(({ Type }) => Type === EvaluationGroupType.FIELD_EVALUATION));
    this.distances.evaluate(evaluated.filter(({ Type }) => Type !== EvaluationGroupType.FIELD_EVALUATION));
    if (wanted.length === 0) this.#stopWatching();
    else if (this.#watch.state === 'idle') this.#startWatching();
    this.#announceChanges();
  }

  /** The evaluations with a contour in an active group. */
  #activeEvaluations(): readonly Evaluation[] {
    const { evaluations, groups } = this.#definitions;
    const ids = new Set(
      groups.filter((group) => this.#groups.isActive(group)).flatMap((group) => group.Evaluations),
    );
    return evaluations.filter(({ Id, Points }) => ids.has(Id) && Points.length > 0);
  }

  #setTooMany(tooMany: boolean): void {
    if (tooMany === this.#tooMany) return;
    this.#tooMany = tooMany;
    this.#options.conditions.set('DS_RecoverableError', 'more than 20 active fields', tooMany);
  }

  #stop(): void {
    this.#fields.evaluate([]);
    this.distances.evaluate([]);
    this.#stopWatching();
  }

  #startWatching(): void {
    // Set before the core starts: if the start fails, this function runs again.
    this.#watch = { state: 'reliable', end: () => undefined };
    const end = this.#options.measuring.watch({
      scan: (scan) => this.#evaluateScan(scan),
      unreliable: () => this.#setUnknown(true),
    });
    this.#endsBy(end);
    this.#setUnknown(!this.#options.measuring.isReliable);
  }

  /** The watch may have ended before its end function was known. */
  #endsBy(end: () => void): void {
    if (this.#watch.state === 'idle') end();
    else this.#watch = { ...this.#watch, end };
  }

  #stopWatching(): void {
    const watch = this.#watch;
    this.#watch = { state: 'idle' };
    if (watch.state !== 'idle') watch.end();
  }

  #evaluateScan(scan: Scan): void {
    const fan = this.#fanOf(scan.geometry);
    this.#setUnknown(!this.#options.measuring.isReliable);
    const infringed = this.#fields.evaluateScan(scan, fan);
    if (this.#fields.someInfringed) this.#infringedAt = this.#now;
    if (infringed !== undefined) this.#statesChanged(infringed);
    // Time and positions of infringed fields change with every scan.
    else if (this.#fields.someInfringed) this.#options.announcements.changedRoutinely(FieldEvaluationResult);
    this.distances.evaluateScan(scan, fan);
  }

  /** Sets the states of fields to unknown, because measurements are not reliable. */
  #setUnknown(isUnknown: boolean): void {
    const state = isUnknown ? 'unknown' : 'reliable';
    if (this.#watch.state === 'idle' || this.#watch.state === state) return;
    this.#watch = { ...this.#watch, state };
    this.#updateEvaluations();
  }

  /** Reports all states that have changed at this moment. */
  #statesChanged(infringed: readonly InfringedField[]): void {
    const timestamp = this.#now;
    if (infringed.length > 0) this.#infringedAt = timestamp;
    for (const field of infringed) {
      for (const listener of this.#listeners) listener({ ...field, timestamp });
    }
    this.#announceChanges();
  }

  #fanOf(geometry: ScanGeometry): BeamFan {
    if (this.#fan === undefined || !sameGeometry(this.#fan.geometry, geometry)) this.#fan = beamFan(geometry);
    return this.#fan;
  }

  /** Announces the states that differ from the last announcement. */
  #announceChanges(): void {
    const states = slots.map((id) => [this.stateOf(id), this.signal(id)] as const);
    const groupStates = this.groupStates;
    const changed = [
      ...(isDeepStrictEqual(states, this.#states) ? [] : [FieldEvaluationResult]),
      ...(isDeepStrictEqual(groupStates, this.#groupStates) ? [] : [FieldEvaluationGroupState]),
    ];
    this.#states = states;
    this.#groupStates = groupStates;
    this.#options.announcements.changed(changed);
  }

  get #now(): number {
    return Math.max(0, Math.floor(this.#options.time.utc));
  }
}
