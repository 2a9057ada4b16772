import type { ConditionKind } from './condition-kind.js';
import { isOther, named, whileKnown, whole } from './detected.js';

/** Conditions about whether the right scanner answers, and answers as the interface states. */
export const connectionConditions: readonly ConditionKind[] = [
  {
    id: 'unreachable',
    severity: 'error',
    title: 'Does not answer',
    about: 'The scanner does not answer. Check its power, its cable and its address.',
    beginsAfter: 30,
    endsAfter: 0,
    detect: ({ reachable, failure }) =>
      reachable === undefined ? undefined : whole(!reachable, failure ?? 'the scanner does not answer'),
  },
  {
    id: 'wrong-scanner',
    severity: 'error',
    title: 'Is another scanner',
    about:
      'Another serial number answers at the address. Check the addresses. If the scanner was replaced, tell the monitor the new serial number.',
    beginsAfter: 0,
    endsAfter: 0,
    detect: (snapshot) => {
      const { reachable, serial, expectedSerial } = snapshot;
      if (reachable !== true || serial === undefined) return undefined;
      return whole(isOther(snapshot), `serial number ${serial} answers, expected ${expectedSerial}`);
    },
  },
  {
    id: 'malformed',
    severity: 'warning',
    title: 'Answers what the interface does not allow',
    about: 'Values cannot be read. Check the release of the scanner, and proxies between it and the monitor.',
    beginsAfter: 60,
    endsAfter: 60,
    detect: whileKnown(({ malformed }) =>
      whole(malformed.length > 0, `no value that the interface allows: ${named(malformed)}`),
    ),
  },
  {
    id: 'logins-locked',
    severity: 'warning',
    title: 'Refuses logins',
    about:
      'The scanner has locked logins, because wrong passwords were tried. Find out who tries them. It admits logins again by itself.',
    beginsAfter: 0,
    endsAfter: 0,
    detect: whileKnown(({ loginsLocked }) => whole(loginsLocked, 'the scanner has locked logins')),
  },
];
