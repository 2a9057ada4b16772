import { type EvaluationGroup, GroupActivation, InputCondition } from '@azimuth/model';

/** The inputs of a scanner, as far as fields are switched by them. Ports count from 1. */
export interface Inputs {
  isActive(port: number): boolean;
}

/** Which groups are active: always, by the inputs, or as the last telegram said. */
export class ActiveGroups {
  readonly #inputs: Inputs;
  /** What telegrams have said since the boot, by the number of the group. */
  readonly #told = new Map<number, boolean>();

  constructor(inputs: Inputs) {
    this.#inputs = inputs;
  }

  /** A boot: groups that telegrams switch are as InitiallyActive says. */
  boot(): void {
    this.#told.clear();
  }

  isActive({ Id, Activation }: EvaluationGroup): boolean {
    switch (Activation.Type) {
      case GroupActivation.ALWAYS:
        return true;
      case GroupActivation.INPUTS:
        return Activation.Inputs.every((condition, index) => this.#meets(condition, index + 1));
      case GroupActivation.TELEGRAM:
        return this.#told.get(Id) ?? Activation.InitiallyActive;
      default:
        return false;
    }
  }

  /** Switches a group by telegram. False where there is no such group, or telegrams do not switch it. */
  tell(groups: readonly EvaluationGroup[], id: number, active: boolean): boolean {
    const group = groups.find(({ Id }) => Id === id);
    if (group?.Activation.Type !== GroupActivation.TELEGRAM) return false;
    this.#told.set(id, active);
    return true;
  }

  /** Forgets what telegrams said to groups that they switch no more. */
  keep(groups: readonly EvaluationGroup[]): void {
    for (const id of this.#told.keys()) {
      const group = groups.find(({ Id }) => Id === id);
      if (group?.Activation.Type !== GroupActivation.TELEGRAM) this.#told.delete(id);
    }
  }

  #meets(condition: EvaluationGroup['Activation']['Inputs'][number], port: number): boolean {
    if (condition === InputCondition.DONT_CARE) return true;
    return this.#inputs.isActive(port) === (condition === InputCondition.ACTIVE);
  }
}
