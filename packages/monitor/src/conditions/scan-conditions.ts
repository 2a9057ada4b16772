import type { ConditionKind } from './condition-kind.js';
import { whileKnown, whole } from './detected.js';

/** Conditions about whether scan data arrives that the scanner sends to this computer. */
export const scanConditions: readonly ConditionKind[] = [
  {
    id: 'no-scans',
    severity: 'error',
    title: 'Sends no scan data that arrives',
    about:
      'The scanner should send its scan data to this computer, and none arrives. Check the network between them, firewalls, and whether it measures.',
    beginsAfter: 10,
    endsAfter: 0,
    detect: whileKnown(({ scans }, { scanSilence }, now) => {
      if (scans === undefined) return [];
      const silence = scans.lastAt === undefined ? undefined : (now - scans.lastAt) / 1000;
      if (silence === undefined) return whole(true, 'no scan has arrived');
      return whole(silence > scanSilence, `no scan for ${silence.toFixed(0)} s`);
    }),
  },
  {
    id: 'scan-rate',
    severity: 'warning',
    title: 'Sends too few scans',
    about:
      'Fewer scans arrive than the performance profile states. Check the network and the load of this computer.',
    beginsAfter: 60,
    endsAfter: 60,
    detect: whileKnown(({ scans }, { scanRate, scanSilence }, now) => {
      if (scans?.expectedRate === undefined) return [];
      // Silence has a condition of its own.
      if (scans.lastAt === undefined || now - scans.lastAt > scanSilence * 1000) return undefined;
      const { rate, expectedRate } = scans;
      return whole(
        rate < expectedRate * scanRate,
        `${rate.toFixed(1)} scans per second, expected ${expectedRate.toFixed(1)}`,
      );
    }),
  },
  {
    id: 'scan-loss',
    severity: 'warning',
    title: 'Loses scan data on its way',
    about: 'Telegrams with scan data get lost. Check cables, switches and the load of this computer.',
    beginsAfter: 60,
    endsAfter: 60,
    detect: whileKnown(({ scans }, { scanLoss }) => {
      if (scans === undefined) return [];
      return whole(
        scans.lossShare > scanLoss,
        `${(scans.lossShare * 100).toFixed(1)} % of the telegrams are lost`,
      );
    }),
  },
];
