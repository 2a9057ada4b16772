import {
  allMethods,
  allVariables,
  extensionVariables,
  type Level,
  type Method,
  type Variable,
} from '@azimuth/model';

/** The lowest level that may call a method. */
export function levelToCall({ facts }: Pick<Method<never, unknown>, 'facts'>): Level {
  if (facts.level === 'open') return 'Run';
  return facts.level === 'login' ? 'Maintenance' : facts.level;
}

/** The lowest level that may write a variable; Service for one that nobody may write. */
export function levelToWrite({ facts }: { readonly facts: Pick<Variable<never>['facts'], 'write'> }): Level {
  return facts.write ?? 'Service';
}

const methods = new Map(allMethods.map((method) => [method.name, method]));
const variables = new Map(
  [...allVariables, ...extensionVariables].map((variable) => [variable.name, variable]),
);

/** The lowest level that may do what a POST to an endpoint does. Nobody may surely do what the interface does not know. */
export function levelFor(endpoint: string): Level {
  const method = methods.get(endpoint);
  if (method !== undefined) return levelToCall(method);
  const variable = variables.get(endpoint.replace(/^x\//, ''));
  return variable === undefined ? 'Service' : levelToWrite(variable);
}
