import { factoryPasswords } from '@azimuth/model';
import { type ConformanceCase, isInRange, type Need } from '../cases/index.js';
import type { CheckSubject, CheckTarget } from '../scanner/checked-scanner.js';

/** Returns why a case cannot be tested on this scanner, or does not count there; undefined if it can, and does. */
export function whyNotTestable(
  { names = [], needs = [], stage, exception }: ConformanceCase,
  target: CheckTarget,
  subject: CheckSubject,
): string | undefined {
  const missing = names.find((name) => !subject.has(name));
  if (missing !== undefined) return `the scanner has no ${missing}`;
  const unmet = needs.find((need) => !isMet[need](target));
  if (unmet !== undefined) return missingNeed[unmet];
  if (stage === 'core' && target.control === undefined) return missingNeed.hardware;
  if (exception === undefined) return undefined;
  const { releases, variants, scheme, reason } = exception;
  const applies =
    isInRange(subject.release, releases) &&
    (variants === undefined || variants.includes(subject.variant)) &&
    (scheme === undefined || target.url.startsWith(`${scheme}:`));
  return applies ? reason : undefined;
}

const isMet: Readonly<Record<Need, (target: CheckTarget) => boolean>> = {
  https: ({ url, httpsUrl }) => httpsUrl !== undefined || url.startsWith('https:'),
  // Events are served at the port of HTTP.
  events: () => true,
  legacy: ({ legacyA, legacyB }) => legacyA !== undefined || legacyB !== undefined,
  search: ({ search }) => search !== undefined,
  streams: ({ receiveAt }) => receiveAt !== undefined,
  hardware: ({ control }) => control !== undefined,
  'factory-access': ({ url, passwords }) =>
    /^(192\.168\.0\.1|127\.[\d.]+|localhost|\[::1\])$/.test(new URL(url).hostname) &&
    passwords.Service === factoryPasswords.Service,
};

const missingNeed: Readonly<Record<Need, string>> = {
  https: 'needs the address of HTTPS',
  events: 'needs events',
  legacy: 'needs the address of the legacy protocol',
  search: 'needs the address of the device search',
  streams: 'needs an address of this computer that the scanner reaches',
  hardware: 'needs a control port that injects faults',
  'factory-access': 'needs the factory password of Service, and 192.168.0.1 or an address of this computer',
};
