import { jsonSchema, newestRelease, type Variable } from '@azimuth/model';
import type { Describable } from '../name.js';

/** What the interface says of a variable, a method or a file, for machines: types as JSON Schema. */
export function description(endpoint: Describable): Readonly<Record<string, unknown>> {
  const { kind, name, group, facts, variant } = endpoint;
  const { text, since, until } = facts;
  return { name, kind, group, text, since, until, variant, ...particulars(endpoint) };
}

function particulars(endpoint: Describable): Readonly<Record<string, unknown>> {
  switch (endpoint.kind) {
    case 'variable': {
      const { type, section, stored } = endpoint;
      const { unit, write, aliases, values } = endpoint.facts;
      const schema = jsonSchema(type.shape, factoryValue(endpoint));
      return { schema, unit, write, section, stored, aliases, values };
    }
    case 'method': {
      const { request, response, facts } = endpoint;
      const { level } = facts;
      return { level, request: jsonSchema(request.shape), response: jsonSchema(response.shape) };
    }
    case 'file':
      return { verbs: endpoint.facts.verbs };
  }
}

/** The factory value of a scanner that was delivered with the newest release: older ones may have another. */
export function factoryValue(variable: Variable<unknown>): unknown {
  return variable.factoryValue({ release: newestRelease, createdWith: newestRelease });
}
