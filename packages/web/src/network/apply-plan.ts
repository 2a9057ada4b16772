import { ethernet, general, sameJson } from '@azimuth/model';
import type { ScannerLink } from '../connection/scanner-link.js';
import { addressIn, addressSettings, asksDhcp, bytesOf, type Plan, urlAt } from './address-plan.js';

const { EtherIPAddress, EthernetUpdate } = ethernet.members;
const { RebootDevice } = general.members;

/** ms within which a scanner leaves its address: after EthernetUpdate, and after a reboot. */
const leavesAtOnceWithin = 5000;
const leavesByRebootWithin = 20_000;

/** Where the scanner will be, as a URL; undefined if a DHCP server decides it. */
export function destinationOf(url: string, plan: Plan): string | undefined {
  const address = bytesOf(plan[EtherIPAddress.name]);
  return asksDhcp(plan) || address === undefined ? undefined : urlAt(url, address);
}

/** What follows if the settings are applied, in sentences. */
export function consequenceOf(link: ScannerLink, plan: Plan): string {
  const to = destinationOf(link.shownUrl, plan);
  const how = canUpdate(link)
    ? 'The settings take effect at once. They are not saved: if you cannot reach the scanner any more, switch its power off and on, and it has the old settings again.'
    : 'The settings are saved, and the scanner reboots. It measures nothing until it is back.';
  if (to === undefined)
    return `${how} A DHCP server will choose the address. This page cannot follow there: look for the scanner in the list of the server, or with the command azimuth discover.`;
  if (to === link.shownUrl) return `${how} The address stays ${to}.`;
  return `${how} Then the scanner is at ${to}. ${wayTo(link)}`;
}

/** How the pages get to a new address. */
function wayTo(link: ScannerLink): string {
  if (link.gateway !== undefined) return 'These pages look for it there, and go on.';
  const own = addressIn(link.shownUrl);
  return own === undefined || own[0] === 127
    ? 'A virtual scanner leaves the present address only if it was started with --network rebind, and if this computer has the new address. Otherwise it stays here.'
    : 'This page opens there. You have to log in again.';
}

/** Writes what differs, and has the scanner use it. @throws ClientError */
export async function applyPlan(link: ScannerLink, plan: Plan): Promise<void> {
  for (const [{ name }] of addressSettings) {
    if (!sameJson(link.value(name), plan[name])) await link.write(name, plan[name]);
  }
  const to = destinationOf(link.shownUrl, plan);
  const isUpdated = canUpdate(link);
  await link.call(isUpdated ? EthernetUpdate.name : RebootDevice.name);
  if (to === link.shownUrl) {
    if (!isUpdated) link.absences.expect('reboots');
    return;
  }
  void link.addressMove.follow(to, isUpdated ? leavesAtOnceWithin : leavesByRebootWithin);
}

function canUpdate(link: ScannerLink): boolean {
  const edition = link.edition.peek();
  return edition === undefined || EthernetUpdate.isIn(edition);
}
