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
  mountingPosition,
  type ValueOf,
} from '@azimuth/model';
import type { Announcements } from '../announcements.js';
import type { DeviceTime } from '../date-and-system-time/device-time.js';
import { computed, type Feature, method } from '../feature.js';
import type { Clock } from '../interfaces/clock.js';
import type { Log } from '../interfaces/log.js';
import type { Conditions } from '../lifecycle/conditions.js';
import type { Measuring } from '../measuring/measuring.js';
import { isAtRest } from '../measuring/state.js';
import type { Parameters } from '../parameters/parameters.js';
import { PerpendicularDistances } from '../perpendicular-distance/perpendicular-distances.js';
import type { Scan } from '../scan/scan.js';
import { type ScanGeometry, sameGeometry } from '../scan/scan-geometry.js';
import type { Sight } from '../sight/sight.js';
import { ActiveFields, type Sighting } from './active-fields.js';
import { ActiveGroups, type Inputs } from './active-groups.js';
import { AwaitedScans } from './awaited-scans.js';
import type { FieldStateNumber } from './debounced-state.js';
import { sightLater } from './sight-later.js';

const { fields } = extensions.members;
const { SensorPosition } = mountingPosition.members;
const {
  FieldEvaluationResult,
  FieldEvaluationGroupState,
  EvaluationGroupType: GroupTypes,
  ActivateEvaluationGroup,
} = fieldEvaluation.members;

/** More active evaluations than this stop all of them (specification, Limits). */
const mostActive = 20;
const noDefinitions: FieldDefinitions = { evaluations: [], groups: [] };
const slots = Array.from({ length: evaluationSlots }, (_, index) => index + 1);

/** A field that has become infringed, where and when. */
export interface Infringement extends Sighting {
  /** ms since 1970 UTC, by the clock of the scanner. */
  readonly timestamp: number;
}

export interface FieldFacts {
  readonly parameters: Parameters;
  readonly announcements: Announcements;
  readonly measuring: Measuring;
  readonly clock: Clock;
  readonly conditions: Conditions;
  readonly time: DeviceTime;
  readonly inputs: Inputs;
  readonly log: Log;
}

/**
 * Evaluates the fields and perpendicular distances that are active, in every scan. It looks at scans while at least one
 * evaluation is active: with none, nothing is measured for its sake. While nothing is measured, while no scans come, and
 * while more than 20 are active, all are inactive.
 */
export class FieldEvaluation implements Feature {
  readonly heeds = [fields, SensorPosition];
  readonly computed = [
    computed(FieldEvaluationResult, () => this.result),
    computed(FieldEvaluationGroupState, () => this.groupStates),
    computed(GroupTypes, () => this.groupTypes, [fields]),
  ];
  readonly methods = [method(ActivateEvaluationGroup, ({ List }) => ({ Success: this.activate(List) }))];
  /** Least and greatest distances from reference lines. */
  readonly distances: PerpendicularDistances;
  readonly #facts: FieldFacts;
  readonly #groups: ActiveGroups;
  readonly #listeners = new Set<(infringement: Infringement) => void>();
  readonly #fields: ActiveFields;
  readonly #scans: AwaitedScans;
  #up = false;
  #tooMany = false;
  #sight: Sight | undefined;
  #watching = false;
  #unwatch: (() => void) | undefined;
  #infringedAt = 0;
  #states: readonly FieldStateNumber[] = [];
  #groupStates: ValueOf<'FieldEvaluationGroupState'> = [];

  constructor(facts: FieldFacts) {
    this.#facts = facts;
    this.#groups = new ActiveGroups(facts.inputs);
    this.#fields = new ActiveFields(facts.clock, (infringed) => this.#tell(infringed));
    this.#scans = new AwaitedScans({ ...facts, changed: () => this.#settle() });
    this.distances = new PerpendicularDistances(facts.announcements, facts.time);
    facts.conditions.onChange(() => this.#settle());
    facts.announcements.subscribeTo([SensorPosition], () => {
      this.#sight = undefined;
    });
    facts.announcements.subscribeTo([fields], () => this.#definitionsChanged());
  }

  /** Are more than 20 evaluations active, so that none is evaluated? */
  get tooMany(): boolean {
    return this.#tooMany;
  }

  /** Comes up: groups are as they are initially, every field is free. */
  boot(): void {
    this.#infringedAt = 0;
    this.#sight = undefined;
    this.#groups.boot();
    this.#stop();
    this.#up = true;
    this.#settle();
  }

  /** Goes down: for a reboot, or for good. */
  down(): void {
    this.#up = false;
    this.#settle();
  }

  /** Waits for no scans until `resume`: fields stay as they are, though none comes. */
  pause(): void {
    this.#scans.pause();
  }

  resume(): void {
    this.#scans.resume();
  }

  /** Calls `listener` when a field has become infringed. */
  onInfringed(listener: (infringement: Infringement) => void): void {
    this.#listeners.add(listener);
  }

  /** An input has another state: groups may follow. */
  inputsChanged(): void {
    this.#settle();
  }

  /** Switches groups by telegram. For each, in order: is there such a group, and do telegrams switch it? */
  activate(list: readonly { readonly GroupId: number; readonly Activate: boolean }[]): readonly boolean[] {
    const { groups } = this.#definitions;
    const success = list.map(({ GroupId, Activate }) => this.#groups.tell(groups, GroupId, Activate));
    this.#settle();
    return success;
  }

  /** The state of a field, by its number; NOT_CONFIGURED for an evaluation that is none. */
  stateOf(evaluation: number): FieldStateNumber {
    const running = this.#fields.at(evaluation);
    if (running !== undefined) return running.state;
    const defined = this.#definitions.evaluations.find(({ Id }) => Id === evaluation);
    return defined?.Type === EvaluationGroupType.FIELD_EVALUATION
      ? FieldState.INACTIVE
      : FieldState.NOT_CONFIGURED;
  }

  /** Is a field infringed, and not free again for long enough? */
  infringed(evaluation: number): boolean {
    return this.#fields.at(evaluation)?.infringed ?? false;
  }

  /** What FieldEvaluationResult tells. */
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

  /** What FieldEvaluationGroupState tells. */
  get groupStates(): ValueOf<'FieldEvaluationGroupState'> {
    const { groups } = this.#definitions;
    return slots.map((id) => {
      const group = groups.find(({ Id }) => Id === id);
      if (group === undefined) return EvaluationGroupState.NOT_CONFIGURED;
      return this.#groups.isActive(group) ? EvaluationGroupState.ACTIVE : EvaluationGroupState.INACTIVE;
    });
  }

  /** What EvaluationGroupType tells: that of a group's evaluations, FIELD_EVALUATION for a group without any. */
  get groupTypes(): ValueOf<'EvaluationGroupType'> {
    const { groups, evaluations } = this.#definitions;
    return slots.map((id) => {
      const [first] = groups.find(({ Id }) => Id === id)?.Evaluations ?? [];
      return evaluations.find(({ Id }) => Id === first)?.Type ?? EvaluationGroupType.FIELD_EVALUATION;
    });
  }

  get #definitions(): FieldDefinitions {
    const { parameters } = this.#facts;
    return parameters.has(fields) ? parameters.read(fields) : noDefinitions;
  }

  #definitionsChanged(): void {
    this.#groups.keep(this.#definitions.groups);
    this.#settle();
  }

  /** Has what is active evaluated, and nothing else. */
  #settle(): void {
    const active = this.#up ? this.#activeEvaluations() : [];
    this.#setTooMany(active.length > mostActive);
    const wanted = this.#tooMany || isAtRest(this.#facts.conditions) ? [] : active;
    if (wanted.length > 0) this.#scans.start();
    else this.#scans.stop();
    const evaluated = this.#scans.missing ? [] : wanted;
    this.#fields.evaluate(evaluated.filter(({ Type }) => Type === EvaluationGroupType.FIELD_EVALUATION));
    this.distances.evaluate(evaluated.filter(({ Type }) => Type !== EvaluationGroupType.FIELD_EVALUATION));
    if (wanted.length === 0) this.#stopWatching();
    else if (!this.#watching) this.#watch();
    this.#announceChanges();
  }

  /** Those that have a contour and are in a group that is active. */
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
    this.#facts.conditions.set('DS_RecoverableError', 'more than 20 active fields', tooMany);
  }

  #stop(): void {
    this.#fields.evaluate([]);
    this.distances.evaluate([]);
    this.#scans.stop();
    this.#stopWatching();
  }

  #watch(): void {
    const Looks = sightLater.part;
    if (Looks === undefined) {
      const loaded = sightLater.untilLoaded((error) =>
        this.#facts.log.error('Fields are evaluated later', { reason: error.message }),
      );
      void loaded.then(
        () => this.#settle(),
        (error: unknown) => this.#facts.log.error('Fields cannot be evaluated', { reason: String(error) }),
      );
      return;
    }
    // Before the core starts: one that fails there has it settled again.
    this.#watching = true;
    this.#unwatch = this.#facts.measuring.watch({
      scan: (scan) => this.#take(scan, this.#sightIn(scan.geometry, Looks)),
    });
    if (!this.#watching) this.#stopWatching();
  }

  #stopWatching(): void {
    const unwatch = this.#unwatch;
    this.#watching = false;
    this.#unwatch = undefined;
    unwatch?.();
  }

  #take(scan: Scan, sight: Sight): void {
    this.#scans.came(scan);
    const infringed = this.#fields.take(scan, sight);
    if (this.#fields.someInfringed) this.#infringedAt = this.#now;
    if (infringed !== undefined) this.#tell(infringed);
    // When and where fields are infringed goes on with every scan.
    else if (this.#fields.someInfringed) this.#facts.announcements.goesOn(FieldEvaluationResult);
    this.distances.take(scan, sight);
  }

  /** States have changed, all that do so at this moment. */
  #tell(infringed: readonly Sighting[]): void {
    const timestamp = this.#now;
    if (infringed.length > 0) this.#infringedAt = timestamp;
    for (const sighting of infringed) {
      for (const listener of this.#listeners) listener({ ...sighting, timestamp });
    }
    this.#announceChanges();
  }

  #sightIn(geometry: ScanGeometry, Looks: typeof Sight): Sight {
    if (this.#sight === undefined || !sameGeometry(this.#sight.geometry, geometry)) {
      const { parameters } = this.#facts;
      const position = parameters.has(SensorPosition)
        ? parameters.read(SensorPosition)
        : SensorPosition.type.initial;
      this.#sight = new Looks(geometry, position);
    }
    return this.#sight;
  }

  /** Tells who wants to know where states differ from those that were told last. */
  #announceChanges(): void {
    const states = slots.map((id) => this.stateOf(id));
    const groupStates = this.groupStates;
    const changed = [
      ...(isDeepStrictEqual(states, this.#states) ? [] : [FieldEvaluationResult]),
      ...(isDeepStrictEqual(groupStates, this.#groupStates) ? [] : [FieldEvaluationGroupState]),
    ];
    this.#states = states;
    this.#groupStates = groupStates;
    this.#facts.announcements.changed(changed);
  }

  get #now(): number {
    return Math.max(0, Math.floor(this.#facts.time.utc));
  }
}
