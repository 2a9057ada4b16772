import { EventVariable, extensionPrefix, type KnownInterface, loginLevels, type Shape } from '@azimuth/model';
import type { NamesOfInterface, ValueWords } from './completion-table.js';

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
