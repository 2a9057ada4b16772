import { type EvaluationGroup, GroupActivation, InputCondition } from '@azimuth/model';

/** The digital inputs of a scanner. Ports count from 1. */
export interface Inputs {
  isActive(port: number): boolean;
  /** Calls `listener` when an input becomes active or inactive. */
  onInput(listener: () => void): void;
}

/** The active groups. A group is active always, by the inputs, or by the last telegram. */
export class ActiveGroups {
  readonly #inputs: Inputs;
  /** The activation by telegram since the boot, by group number. */
  readonly #byTelegram = new Map<number, boolean>();

  constructor(inputs: Inputs) {
    this.#inputs = inputs;
  }

  /** Called at a boot: groups that telegrams switch return to InitiallyActive. */
  boot(): void {
    this.#byTelegram.clear();
  }

  remember(): () => void {
    const byTelegram = [...this.#byTelegram];
    return () => {
      this.#byTelegram.clear();
      for (const [group, active] of byTelegram) this.#byTelegram.set(group, active);
    };
  }

  isActive({ Id, Activation }: EvaluationGroup): boolean {
    switch (Activation.Type) {
      case GroupActivation.ALWAYS:
        return true;
      case GroupActivation.INPUTS:
        return Activation.Inputs.every((condition, index) => this.#isMet(condition, index + 1));
      case GroupActivation.TELEGRAM:
        return this.#byTelegram.get(Id) ?? Activation.InitiallyActive;
      default:
        return false;
    }
  }

  /** Switches a group by telegram. Returns false if the group does not exist or if telegrams do not switch it. */
  activate(groups: readonly EvaluationGroup[], id: number, active: boolean): boolean {
    const group = groups.find(({ Id }) => Id === id);
    if (group?.Activation.Type !== GroupActivation.TELEGRAM) return false;
    this.#byTelegram.set(id, active);
    return true;
  }

  /** Called after a change of definitions: forgets the activation of groups that telegrams no longer switch. */
  definitionsChanged(groups: readonly EvaluationGroup[]): void {
    for (const id of this.#byTelegram.keys()) {
      const group = groups.find(({ Id }) => Id === id);
      if (group?.Activation.Type !== GroupActivation.TELEGRAM) this.#byTelegram.delete(id);
    }
  }

  #isMet(condition: EvaluationGroup['Activation']['Inputs'][number], port: number): boolean {
    if (condition === InputCondition.DONT_CARE) return true;
    return this.#inputs.isActive(port) === (condition === InputCondition.ACTIVE);
  }
}
