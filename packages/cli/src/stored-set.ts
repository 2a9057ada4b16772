import { allParameters, extensionPrefix, group, struct, type Variable, variable } from '@azimuth/model';

/** The stored parameters, as they are named on a command line. */
export const storedSetName = `${extensionPrefix}stored`;

let declared: Variable<unknown> | undefined;

/** The stored parameters as one variable with a member for each. Made when it is asked for: few commands do. */
export function storedSet(): Variable<unknown> {
  declared ??= group('Parameters', {
    stored: variable(struct(Object.fromEntries(allParameters.map(({ name, type }) => [name, type]))), {
      text: 'The stored parameters: what a reboot or a power cut leaves.',
    }),
  }).members.stored;
  return declared;
}
