import type { Endpoint } from '@azimuth/model';
import type { Device } from '../device.js';
import { missingBehind } from '../missing.js';

/** The page of the docs that says what is not built yet, from what stands behind the endpoints of a device. */
export function notBuiltPage(device: Device): string {
  const groups = [...new Set([...device.unbuilt, ...device.unheeded].map(({ group }) => group))];
  return `${introduction}
| group | what is missing | variables that tell their default | methods that answer status 3 | parameters without an effect |
|---|---|---|---|---|
${inOrder(device, groups)
  .map((group) => row(device, group))
  .join('\n')}
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

function inOrder(device: Device, groups: readonly string[]): string[] {
  const all = [...new Set([...device.endpoints.values()].map(({ group }) => group))];
  return all.filter((group) => groups.includes(group));
}

function row(device: Device, group: string): string {
  const ofGroup = (endpoints: readonly Endpoint[], kind: Endpoint['kind']) =>
    endpoints
      .filter((endpoint) => endpoint.group === group && endpoint.kind === kind)
      .map(({ name }) => `\`${name}\``)
      .join(' ');
  const cells = [
    group,
    missingBehind({ group }),
    ofGroup(device.unbuilt, 'variable'),
    ofGroup(device.unbuilt, 'method'),
    ofGroup(device.unheeded, 'variable'),
  ];
  return `| ${cells.join(' | ')} |`;
}
