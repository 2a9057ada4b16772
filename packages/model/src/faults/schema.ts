import type { JsonSchema } from '../types/schema.js';
import { faultKinds, isFaultKind } from './kinds.js';
import type { Member } from './member.js';
import { largestSeed, membersOf, mostFaults } from './plan.js';

/** JSON Schema of a plan, with one alternative for each kind. */
export function planSchema(): JsonSchema {
  const kinds = Object.keys(faultKinds).filter(isFaultKind);
  return {
    type: 'object',
    properties: {
      seed: {
        type: 'integer',
        minimum: 0,
        maximum: largestSeed,
        description: 'of all random decisions',
      },
      faults: {
        type: 'array',
        maxItems: mostFaults,
        items: {
          oneOf: kinds.map((kind) => {
            const members = Object.entries(membersOf(kind));
            const needed = members.filter(([, { needed }]) => needed === true).map(([name]) => name);
            return {
              type: 'object',
              title: kind,
              description: faultKinds[kind].text,
              properties: {
                kind: { type: 'string', enum: [kind] },
                ...Object.fromEntries(members.map(([name, member]) => [name, schemaOf(member)])),
              },
              required: ['kind', ...needed],
              additionalProperties: false,
            };
          }),
        },
      },
    },
    required: ['faults'],
    additionalProperties: false,
  };
}

function schemaOf(member: Member): JsonSchema {
  const about = {
    description:
      'unit' in member && member.unit !== undefined ? `${member.text} (${member.unit})` : member.text,
    default: member.usual,
  };
  switch (member.type) {
    case 'number':
      return {
        type: member.whole === true ? 'integer' : 'number',
        minimum: member.least,
        maximum: member.most,
        ...about,
      };
    case 'choice':
      return { enum: member.choices, ...about };
    case 'text':
      return { type: 'string', minLength: 1, maxLength: member.longest, ...about };
    case 'switch':
      return { type: 'boolean', ...about };
  }
}
