import { type LoginLevel, loginLevels } from '../envelope.js';
import type { Product } from '../product.js';
import type { LabelPassword } from './definition.js';
import { type Part, ProductMistakes } from './part.js';

/** Returns the first passwords of single scanners, by serial number. */
export function labelsOf(part: Part, longest: number): Product['labels'] {
  const labels = new Map<string, Partial<Record<LoginLevel, string>>>();
  for (const item of part.items) {
    item.only(['serialNumber', 'level', 'password']);
    const serialPart = item.part('serialNumber');
    const serialNumber = serialPart.required(
      serialPart.textLike(/^[A-Za-z0-9]{1,9}$/, 'up to 9 letters and digits'),
    );
    const levelPart = item.part('level');
    const level = levelPart.required(levelPart.oneOf(loginLevels));
    const passwordPart = item.part('password');
    const password = passwordPart.required(passwordPart.text({ maximum: longest }));
    if (serialNumber === undefined || level === undefined || password === undefined) continue;
    const label = labels.get(serialNumber) ?? {};
    if (label[level] !== undefined)
      item.mistake(`scanner ${serialNumber} has a password for ${level} already`);
    label[level] = password;
    labels.set(serialNumber, label);
  }
  return labels;
}

/**
 * Reads the first passwords of scanners from a file: a line `serial,level,password` each. A password may contain commas.
 * Empty lines, and those that begin with #, are left out.
 * @throws ProductMistakes with the number of each line that cannot be read. It does not repeat the line: it is secret.
 */
export function labelPasswords(file: string): readonly LabelPassword[] {
  const mistakes: string[] = [];
  const labels = file.split(/\r?\n/).flatMap((line, index): LabelPassword[] => {
    if (line.trim() === '' || line.startsWith('#')) return [];
    const [, serialNumber, name, password] = /^([^,]*),([^,]*),(.*)$/.exec(line) ?? [];
    const level = loginLevels.find((one) => one === name);
    if (serialNumber !== undefined && level !== undefined && password !== undefined)
      return [{ serialNumber, level, password }];
    mistakes.push(
      `line ${index + 1}: expected serial,level,password with the level ${loginLevels.join(', ')}`,
    );
    return [];
  });
  if (mistakes.length > 0) throw new ProductMistakes(mistakes);
  return labels;
}
