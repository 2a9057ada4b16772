import { allVariables, extensionPrefix, extensionVariables } from '@azimuth/model';
import { isLeaf } from './control.js';
import { valueText } from './value-text.js';

const variables = new Map(
  [...allVariables, ...extensionVariables].map((variable) => [variable.name, variable] as const),
);

/**
 * A value in one line of at most so many characters, with everything that it consists of: a single value in words, others
 * as JSON.
 * @param name of the variable; on the wire, those of extensions have a prefix
 */
export function shortText(name: string, value: unknown, most = 60): string {
  const plain = name.startsWith(extensionPrefix) ? name.slice(extensionPrefix.length) : name;
  const variable = variables.get(plain);
  const text =
    variable !== undefined && isLeaf(variable.type.shape)
      ? valueText(variable.type.shape, value, (member) => variable.unitOf(member))
      : (JSON.stringify(value) ?? '–');
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}
