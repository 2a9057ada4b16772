import type { Shape } from '@azimuth/model';
import type { SeededRandom } from '../seeded-random.js';

/** Returns a random value of a shape: as often at a limit as between them. */
export function randomValue(shape: Shape, random: SeededRandom): unknown {
  switch (shape.kind) {
    case 'boolean':
      return random.percent(50);
    case 'integer':
      return randomNumber(shape.minimum, shape.maximum, random);
    case 'float':
      return Math.fround(randomNumber(Math.max(shape.minimum, -1000), Math.min(shape.maximum, 1000), random));
    case 'enumeration':
      return random.pick(Object.values(shape.values));
    case 'levelName':
      return random.pick(['Maintenance', 'Service']);
    case 'string':
      return 'äZ 9"'.repeat(20).slice(0, random.between(shape.minLength, Math.min(shape.maxLength, 60)));
    case 'address':
      return Array.from({ length: shape.length }, () => random.between(1, 254));
    case 'array': {
      const length = random.between(shape.minItems, Math.min(shape.maxItems, shape.minItems + 3));
      return Array.from({ length }, () => randomValue(shape.of, random));
    }
    case 'struct':
      return Object.fromEntries(
        Object.entries(shape.members).map(([name, member]) => [name, randomValue(member.shape, random)]),
      );
  }
}

function randomNumber(minimum: number, maximum: number, random: SeededRandom): number {
  if (random.percent(25)) return minimum;
  return random.percent(25) ? maximum : random.between(minimum, maximum);
}

/** True if a value of this shape has an address somewhere. */
export function holdsAddress(shape: Shape): boolean {
  switch (shape.kind) {
    case 'address':
      return true;
    case 'array':
      return holdsAddress(shape.of);
    case 'struct':
      return Object.values(shape.members).some((member) => holdsAddress(member.shape));
    default:
      return false;
  }
}
