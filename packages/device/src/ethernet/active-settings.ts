import { allVariables, ethernet, legacyProtocols, type Variable } from '@azimuth/model';
import type { Parameters, ValueSet, View } from '../parameters/parameters.js';

const groups: readonly string[] = [ethernet.name, legacyProtocols.name];

/** The parameters that come into force together, at a boot and at EthernetUpdate. */
export const networkSettings: readonly Variable<unknown>[] = allVariables.filter(
  ({ stored, group }) => stored && groups.includes(group),
);

/** The network settings as they were when they came into force; what is written later does not touch them. */
export class ActiveSettings implements View {
  readonly #values: ValueSet;

  /** Takes `taken` from the working parameters; all other settings stay as they were `before`. */
  constructor(working: Parameters, taken = networkSettings, before?: ActiveSettings) {
    const present = taken.filter((variable) => working.has(variable));
    const values = Object.fromEntries(present.map((variable) => [variable.name, working.read(variable)]));
    this.#values = before === undefined ? values : { ...before.#values, ...values };
  }

  /**
   * The value in force; the default of the interface for a setting that the release does not have.
   * @throws TypeError for a variable of another group.
   */
  read<T>(variable: Variable<T>): T {
    const { name, type } = variable;
    if (!networkSettings.some((setting) => setting.name === name))
      throw new TypeError(`${name} is no network setting`);
    return Object.hasOwn(this.#values, name) ? type.fromJson(this.#values[name], name) : type.initial;
  }
}
