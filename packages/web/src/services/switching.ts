import { ethernet } from '@azimuth/model';
import type { ScannerLink } from '../connection/scanner-link.js';
import { changesOf, planOf } from '../network/address-plan.js';
import type { Question } from '../parts/dialogs.js';
import type { Service, ServiceSwitch } from './service-rows.js';

const { EthernetUpdate } = ethernet.members;

/** True if a scanner puts written network settings into force when it is told to. */
export function appliesNow({ edition }: Pick<ScannerLink, 'edition'>): boolean {
  const now = edition.peek();
  return now !== undefined && EthernetUpdate.isIn(now);
}

/** Writes the variable of a service, and puts it into force if the release can do that. @throws ClientError */
export async function switchService(link: ScannerLink, way: ServiceSwitch, on: boolean): Promise<void> {
  await link.write(way.variable.name, on ? way.on : way.off);
  if (way.withNetwork && appliesNow(link)) await link.call(EthernetUpdate.name);
}

/** Returns the question before a service is switched; undefined if nothing is lost. */
export function questionOf(
  link: ScannerLink,
  { name, switch: way }: Service,
  on: boolean,
): Question | undefined {
  if (way === undefined) return undefined;
  const waiting = way.withNetwork && appliesNow(link) ? waitingSettings(link) : [];
  const lines = [...(on ? [] : way.losses), ...waiting.map((change) => `Also takes effect: ${change}`)];
  if (lines.length === 0) return undefined;
  const isMoving = waiting.length > 0;
  return {
    title: `Switch ${name} ${on ? 'on' : 'off'}?`,
    text: isMoving
      ? 'Other network settings were written, and take effect with this switch. This page can lose the scanner.'
      : 'This happens:',
    lines,
    act: `Switch ${on ? 'on' : 'off'}`,
    danger: !on || isMoving,
  };
}

/** The network settings that were written, and are perhaps not in force yet. */
function waitingSettings(link: ScannerLink): readonly string[] {
  const stored = planOf((name) => link.stored.valueOf(name));
  const isKnown = Object.values(stored).every((value) => value !== undefined);
  return isKnown
    ? changesOf(
        stored,
        planOf((name) => link.value(name)),
      )
    : [];
}
