import { parse } from '@foxglove/rosmsg';
import { MessageReader } from '@foxglove/rosmsg2-serialization';
import { McapError, type SchemaFacts } from '../mcap/index.js';

/** Longest definition in bytes that is parsed: ten times those of ROS 2. */
const mostDefinition = 65_536;
/** Longest list whose length the definition states. */
const mostItems = 65_536;
/** Deepest types within types. */
const mostDepth = 16;

/**
 * Returns what decodes the messages of a schema. Lists that take no bytes and types that contain themselves are refused:
 * a few bytes would become any number of items.
 * @throws McapError
 */
export function messageReaderOf({ name, encoding, definition }: SchemaFacts): MessageReader {
  if (encoding !== 'ros2msg') {
    throw new McapError(`${name}: expected a definition as ros2msg, got ${encoding || 'none'}`);
  }
  if (definition.length > mostDefinition) {
    throw new McapError(`${name}: expected a definition of up to ${mostDefinition} characters`);
  }
  const types = parsed(name, definition);
  const [root] = types.filter(({ definitions }) => definitions.some(({ isConstant }) => isConstant !== true));
  if (root === undefined) throw new McapError(`${name}: expected a definition with fields`);
  const byName = new Map(types.map((type) => [type.name ?? '', type.definitions]));
  new Refusal(name, byName).check(root.definitions, mostDepth);
  return new MessageReader(types);
}

type Definitions = ReturnType<typeof parse>;
type Fields = Definitions[number]['definitions'];

function parsed(name: string, definition: string): Definitions {
  try {
    return parse(definition, { ros2: true });
  } catch (error) {
    const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    throw new McapError(`${name}: its definition cannot be read: ${line}`);
  }
}

/** Refuses what a reader must not be given. Each type is checked once. */
class Refusal {
  readonly #name: string;
  readonly #types: ReadonlyMap<string, Fields>;
  readonly #checked = new Set<Fields>();

  constructor(name: string, types: ReadonlyMap<string, Fields>) {
    this.#name = name;
    this.#types = types;
  }

  /** @param depth types within types that may follow; a type that contains itself has no end */
  check(fields: Fields, depth: number): void {
    if (depth === 0) throw new McapError(`${this.#name}: its types contain each other too often`);
    for (const { name, type, isComplex, isConstant, arrayLength } of fields) {
      if (isConstant === true) continue;
      if (arrayLength !== undefined && !(arrayLength > 0 && arrayLength <= mostItems)) {
        throw new McapError(`${this.#name}: expected 1 to ${mostItems} items in ${name}, got ${arrayLength}`);
      }
      const nested = isComplex === true ? this.#types.get(type) : [];
      if (nested === undefined)
        throw new McapError(`${this.#name}: the type ${type} of ${name} is not defined`);
      if (!this.#checked.has(nested)) this.check(nested, depth - 1);
      this.#checked.add(nested);
    }
  }
}
