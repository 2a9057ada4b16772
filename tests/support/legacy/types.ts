import { array, isObject, number, object, string } from '../json.js';

/** Type of a value in the legacy protocol, in the words of the published descriptions. */
export type Type = Word | TextType | ListType | StructType;

export type Word = 'boolean' | 'float' | IntegerWord;
export type IntegerWord = 'int8' | 'int16' | 'int32' | 'uint8' | 'uint16' | 'uint32' | 'uint64';

/** Least and most characters; a text of one length has no length in front. */
export interface TextType {
  readonly text: readonly [number, number];
  /** Filled with NUL up to its most characters, without a length in front. */
  readonly isPadded?: true;
}

/** Least and most items; a list of one length has no count in front. */
export interface ListType {
  readonly list: Type;
  readonly count: readonly [number, number];
}

export interface StructType {
  readonly struct: Readonly<Record<string, Type>>;
}

export const text = (least: number, most = least): TextType => ({ text: [least, most] });
export const paddedText = (length: number): TextType => ({ text: [0, length], isPadded: true });
export const list = (of: Type, least: number, most = least): ListType => ({ list: of, count: [least, most] });
export const struct = (members: Readonly<Record<string, Type>>): StructType => ({ struct: members });

/** Four numbers, without a count in front. */
export const ipv4 = list('uint8', 4);

export const integerBits: Readonly<Record<IntegerWord, number>> = {
  int8: 8,
  int16: 16,
  int32: 32,
  uint8: 8,
  uint16: 16,
  uint32: 32,
  uint64: 64,
};

export function isIntegerWord(word: string): word is IntegerWord {
  return Object.hasOwn(integerBits, word);
}

/** The type that a schema of the scanner's own description stands for; throws where it leaves a width open. */
export function typeOfSchema(schema: unknown): Type {
  const facts = object(schema);
  switch (facts.type) {
    case 'boolean':
      return 'boolean';
    case 'number':
      return 'float';
    case 'integer': {
      const format = string(facts.format);
      if (!isIntegerWord(format)) throw new TypeError(`no integer width: ${format}`);
      return format;
    }
    case 'string':
      return text(number(facts.minLength), number(facts.maxLength));
    case 'array':
      return list(typeOfSchema(facts.items), number(facts.minItems), number(facts.maxItems));
    case 'object':
      return struct(
        Object.fromEntries(
          Object.entries(object(facts.properties)).map(([name, member]) => [name, typeOfSchema(member)]),
        ),
      );
    default:
      throw new TypeError(`no type: ${JSON.stringify(schema)}`);
  }
}

/** A variable of a scanner, as its description at /openapi.json has it. */
export interface Variable {
  readonly name: string;
  readonly type: Type;
  readonly schema: unknown;
  readonly writable: boolean;
}

/** Values of telegrams that have another form than a list or a text of these lengths usually has. */
const inTelegrams: Readonly<Record<string, Type>> = {
  LEDState: list(struct({ Color: 'uint8', Function: 'uint8', Id: paddedText(8) }), 0, 8),
  FieldEvaluationResult: struct({
    Version: 'uint16',
    Timestamp: 'uint64',
    EvaluationResultList: list(
      struct({ State: 'uint8', Positions: list(struct({ x: 'int32', y: 'int32' }), 0, 1) }),
      48,
    ),
  }),
};

/** Every variable that a scanner describes: what can be read without a login, under its own name. */
export function variablesOf(document: unknown): Variable[] {
  const { paths, components } = object(document);
  const schemas = object(object(components).schemas);
  return Object.entries(object(paths)).flatMap(([path, item]) => {
    const name = /^\/api\/([A-Za-z0-9]+)$/.exec(path)?.[1];
    const verbs = object(item);
    if (name === undefined || !isObject(verbs.get) || schemas[name] === undefined) return [];
    if (!array(verbs.get.tags).length) return [];
    const type = inTelegrams[name] ?? typeOfSchema(schemas[name]);
    return [{ name, type, schema: schemas[name], writable: verbs.post !== undefined }];
  });
}
