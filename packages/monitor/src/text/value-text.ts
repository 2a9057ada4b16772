import { builtInInterface, type Shape } from '@azimuth/model';

/** Maximum characters of a value in a text for people. */
const longestValue = 80;

/**
 * Returns a value of a parameter for people: `2 CM_STRATEGY_SENSITIVE`, `"Gate 3"`.
 * @param path of the part that has this value: `ContaminationConfig.eStrategy`, `PortConfiguration[0].Name`
 */
export function valueText(path: string, value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  const name = typeof value === 'number' ? nameOfNumber(shapeAt(path), value) : undefined;
  if (name !== undefined) return `${text} ${name}`;
  return text.length <= longestValue ? text : `${text.slice(0, longestValue)}…`;
}

function nameOfNumber(shape: Shape | undefined, value: number): string | undefined {
  if (shape?.kind !== 'enumeration') return undefined;
  return Object.entries(shape.values).find(([, number]) => number === value)?.[0];
}

/** Returns the shape of a part of a variable; undefined if the interface does not have it. */
function shapeAt(path: string): Shape | undefined {
  const [name = '', ...parts] = path.split(/\.|(?=\[)/);
  return parts.reduce(partOf, builtInInterface.variable(name)?.type.shape);
}

function partOf(shape: Shape | undefined, part: string): Shape | undefined {
  if (part.startsWith('[')) return shape?.kind === 'array' ? shape.of : undefined;
  return shape?.kind === 'struct' ? shape.members[part]?.shape : undefined;
}
