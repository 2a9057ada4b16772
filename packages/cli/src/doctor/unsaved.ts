import { AnswerError, currentValues, type Scanner, ScannerError } from '@azimuth/client';
import { extensionPrefix, extensionVariables, isObject, sameJson } from '@azimuth/model';

/** The parameters whose values are not saved; undefined if the scanner does not tell what it has stored. */
export async function unsavedNames(scanner: Scanner): Promise<readonly string[] | undefined> {
  const stored = await scanner.readAny(`${extensionPrefix}stored`).catch((error: unknown) => {
    if (error instanceof AnswerError || error instanceof ScannerError) return undefined;
    throw error;
  });
  if (!isObject(stored)) return undefined;
  const names = new Map(Object.keys(stored).map((name) => [pathOf(name), name]));
  const now = await currentValues(scanner, [...names.keys()]);
  return [...names].flatMap(([path, name]) =>
    !now.has(path) || sameJson(now.get(path), stored[name]) ? [] : [name],
  );
}

/** Extensions are read at a path of their own. */
function pathOf(name: string): string {
  return extensionVariables.some((variable) => variable.name === name) ? extensionPrefix + name : name;
}
