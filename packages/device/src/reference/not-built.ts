import { allParameters, type Endpoint, type Variable } from '@azimuth/model';
import type { Feature } from '../feature.js';

/** What of a scanner has nothing behind it yet. */
export interface Missing {
  /** Variables that tell their default, and methods that answer status 3. */
  readonly unbuilt: readonly Endpoint[];
  /** Parameters that are kept, and have no effect yet. */
  readonly withoutEffect: readonly Variable<unknown>[];
}

interface Served {
  /** What is served, by name, aliases included. */
  readonly endpoints: ReadonlyMap<string, Endpoint>;
  readonly parameters: { has(variable: Variable<unknown>): boolean };
  readonly features: readonly Feature[];
}

/** Looks for a feature behind everything that is served. */
export function missingOf({ endpoints, parameters, features }: Served): Missing {
  const computed = features.flatMap((feature) => feature.computed ?? []);
  const behind = new Set<Endpoint>([
    ...computed.map(({ variable }) => variable),
    ...features.flatMap(({ methods = [] }) => methods.map(({ method }) => method)),
  ]);
  const applied = new Set([
    ...features.flatMap(({ appliedParameters = [] }) => appliedParameters),
    ...computed.flatMap(({ from }) => from),
  ]);
  const isBuilt = (endpoint: Endpoint) =>
    behind.has(endpoint) || (endpoint.kind === 'variable' && endpoint.stored);
  return {
    unbuilt: [...new Set(endpoints.values())].filter((endpoint) => !isBuilt(endpoint)),
    withoutEffect: allParameters.filter((variable) => parameters.has(variable) && !applied.has(variable)),
  };
}

/** What of a group is missing, in words. */
const inWords: Readonly<Record<string, string>> = {
  'Measurement data output': 'native ROS 2',
  'Backup/Restore': 'the system plug',
};

/** The page of the docs that says what is not built yet. */
export function notBuiltPage(missing: Missing, endpoints: Iterable<Endpoint>): string {
  const lacking = new Set([...missing.unbuilt, ...missing.withoutEffect].map(({ group }) => group));
  const groups = new Set([...endpoints].map(({ group }) => group).filter((group) => lacking.has(group)));
  return `${introduction}
| group | what is missing | variables that tell their default | methods that answer status 3 | parameters without an effect |
|---|---|---|---|---|
${[...groups].map((group) => row(missing, group)).join('\n')}
`;
}

const introduction = `# What is not built yet

Made from what stands behind the endpoints by \`npm run docs\`; changes belong there.

Everything of the interface is there under its name, with its type, range and level. Behind some of it stands nothing
yet, and it says so: such a method answers status 3 with a detail, and changes nothing; such a variable tells its
default. Some parameters are checked, kept, stored and reset like on a device, and have no effect yet. Two values of
parameters are taken and do nothing: TX_PTP_SLAVE of \`TSCRole\` synchronises nothing ([time.md](time.md)), and with
NativeROS2 of \`ScanDataFormat\` no scan data leave.
`;

function row({ unbuilt, withoutEffect }: Missing, group: string): string {
  const ofGroup = (endpoints: readonly Endpoint[], kind: Endpoint['kind']) =>
    endpoints
      .filter((endpoint) => endpoint.group === group && endpoint.kind === kind)
      .map(({ name }) => `\`${name}\``)
      .join(' ');
  const cells = [
    group,
    inWords[group] ?? 'its behaviour',
    ofGroup(unbuilt, 'variable'),
    ofGroup(unbuilt, 'method'),
    ofGroup(withoutEffect, 'variable'),
  ];
  return `| ${cells.join(' | ')} |`;
}
