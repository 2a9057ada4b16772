import { EventVariable, extensionPrefix, type KnownInterface, loginLevels, type Shape } from '@azimuth/model';

/** Candidates for a value: words, members of a struct, or items of a list. */
export type ValueWords =
  | readonly string[]
  | { readonly members: Readonly<Record<string, ValueWords>> }
  | { readonly items: ValueWords; readonly count: number };

interface VariableWords {
  readonly text: string;
  readonly isParameter: boolean;
  readonly isEvent: boolean;
  readonly value: ValueWords;
}

/** Candidates for the names of an interface. */
export interface NamesOfInterface {
  readonly variables: Readonly<Record<string, VariableWords>>;
  readonly methods: Readonly<Record<string, { readonly text: string; readonly request: ValueWords }>>;
}

/** Returns the candidates for the names of an interface, and for their values. */
export function wordsOfNames({
  named,
  methods,
}: Pick<KnownInterface, 'named' | 'methods'>): NamesOfInterface {
  return {
    variables: Object.fromEntries(
      named.map(({ name, variable }) => [
        name,
        {
          text: variable.facts.text,
          isParameter: variable.facts.write !== undefined,
          isEvent: variable instanceof EventVariable && !name.startsWith(extensionPrefix),
          value: valueWords(variable.type.shape),
        },
      ]),
    ),
    methods: Object.fromEntries(
      methods.map(({ name, facts, request }) => [
        name,
        { text: facts.text, request: valueWords(request.shape) },
      ]),
    ),
  };
}

function valueWords(shape: Shape): ValueWords {
  switch (shape.kind) {
    case 'boolean':
      return ['on', 'off'];
    case 'enumeration':
      return Object.keys(shape.values);
    case 'levelName':
      return loginLevels;
    case 'struct':
      return {
        members: Object.fromEntries(
          Object.entries(shape.members).map(([name, member]) => [name, valueWords(member.shape)]),
        ),
      };
    case 'array':
      return { items: valueWords(shape.of), count: shape.maxItems };
    default:
      return [];
  }
}
