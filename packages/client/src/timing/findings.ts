/** What may be wrong with the times of a stream: a name for programs, and what to do about it. */
export const causes = {
  'several-senders': {
    title: 'two scanners on one port',
    remedy:
      'give each scanner a port of its own (ScanDataEthSettings), or let the driver tell them apart by the sender in their telegrams',
  },
  reboot: {
    title: 'a reboot of the scanner',
    remedy:
      'look at its power supply and its log; a driver must begin anew when numbers go back, and use no stamp from before',
  },
  'clock-changed': {
    title: 'stamps change between uptime and UTC in the middle',
    remedy:
      'let the driver wait until Synchronised of /x/time is true, and begin anew when stamps change; check that the time server answers all the time',
  },
  'uptime-stamps': {
    title: 'uptime stamps although UTC is expected',
    remedy:
      'name a time server that answers (TSCRole TX_CLIENT, TSCTCSrvAddr) or a PTP master; without one, add the difference to this computer in the driver',
  },
  'stamps-unknown': {
    title: 'stamps that are neither uptime nor UTC',
    remedy: 'check the time server, and what else changes telegrams on the way',
  },
  'clock-steps': {
    title: 'the clock of the scanner is set in steps',
    remedy:
      'follow a PTP master, which steers the clock (TSCRole TX_PTP_SLAVE), or ask the time server more often (TSCTCupdatetime), so that steps are small',
  },
  'clock-drift': {
    title: 'the clock of the scanner drifts against this computer',
    remedy:
      'synchronise both with the same source: a time server or a PTP master; without one, let the driver follow the drift',
  },
  'clock-offset': {
    title: 'the clocks of scanner and computer show different times',
    remedy: 'synchronise both with the same source, and check the time server that the scanner asks',
  },
  'stamp-jitter': {
    title: 'noisy stamps',
    remedy:
      'compute the times of scans from their numbers and the scan frequency, fitted over the last seconds, instead of single stamps',
  },
  'stamps-repeated': {
    title: 'two scans with the same stamp',
    remedy:
      'update the firmware of the scanner, or what changes telegrams on the way; a driver must not divide by the time between two scans',
  },
  'stamps-back': {
    title: 'stamps that go back within a scan',
    remedy:
      'compute differences of stamps with their sign: without it, they become 71 min or more; compute the times of beams from the begin of their scan and the scan frequency',
  },
  'stamps-overlap': {
    title: 'scans whose stamps overlap',
    remedy: 'compute the times of beams from the begin of their scan and the scan frequency',
  },
  'sent-late': {
    title: 'the scanner sends late',
    remedy:
      'use the stamps of beams and not the time of arrival; switch off what loads the scanner, for example filters and further streams',
  },
  'whole-scans': {
    title: 'somebody waits for 360°',
    remedy:
      'use each segment when it comes instead of whole scans; the oldest beam of a whole scan is a revolution old',
  },
  'network-delay': {
    title: 'cross traffic: telegrams wait in the network',
    remedy:
      'give the scanner a network of its own, or priority in the switch; use stamps and not the time of arrival',
  },
  reordered: {
    title: 'telegrams in another order',
    remedy:
      'sort telegrams by their numbers, and look for two ways through the network (bonded ports, Wi-Fi, VPN)',
  },
  duplicated: {
    title: 'telegrams that come twice',
    remedy:
      'drop telegrams whose number has come; look for a loop in the network, a mirrored port, or a group that is joined twice',
  },
  damaged: {
    title: 'damaged or foreign datagrams',
    remedy: 'check cables and connectors, and which other program sends to this port',
  },
  'lost-scans': {
    title: 'whole scans are lost',
    remedy:
      'look for a link that breaks off: cable, connector, slip ring, Wi-Fi, or a program that stops reading for a while',
  },
  'lost-segments': {
    title: 'segments are lost',
    remedy:
      'enlarge the receive buffer of the socket (net.core.rmem_max), use a cable instead of Wi-Fi, or a profile with less data',
  },
  silence: {
    title: 'the scanner is silent',
    remedy: 'check whether it measures (mStopMeasure, standby), and whether the stream stays on',
  },
  'receiver-late': {
    title: 'this computer was busy',
    remedy:
      'end what loads this computer, or give the program that reads the scanner a higher priority; the scanner is not to blame',
  },
} as const satisfies Readonly<Record<string, { readonly title: string; readonly remedy: string }>>;

export type CauseName = keyof typeof causes;

/** Causes by which another finding is explained: it is not told then. */
export const explainedBy: Readonly<Partial<Record<CauseName, readonly CauseName[]>>> = {
  reboot: ['several-senders'],
  'clock-changed': ['reboot', 'several-senders'],
  'uptime-stamps': ['clock-changed', 'reboot'],
  'clock-steps': ['several-senders', 'reboot', 'stamp-jitter'],
  'clock-drift': ['several-senders', 'clock-steps'],
  'clock-offset': ['several-senders', 'clock-steps', 'clock-changed', 'reboot'],
  'stamp-jitter': ['several-senders'],
  'stamps-repeated': ['several-senders', 'clock-steps', 'stamp-jitter'],
  'stamps-back': ['several-senders'],
  'stamps-overlap': ['several-senders', 'stamp-jitter', 'clock-steps', 'stamps-repeated', 'stamps-back'],
  reordered: ['several-senders', 'network-delay'],
  duplicated: ['several-senders'],
  'network-delay': ['several-senders', 'whole-scans'],
  'whole-scans': ['several-senders'],
  'lost-scans': ['several-senders'],
  'lost-segments': ['several-senders'],
  silence: ['reboot'],
};

/** Something that is wrong with the times of a scanner. */
export interface TimingFinding {
  readonly cause: CauseName;
  /** The scanner: `scanner 123456789 at 192.168.0.1`; empty if it concerns this computer or the port. */
  readonly scanner: string;
  /** What was seen and why, as a sentence without a full stop. */
  readonly text: string;
  /** What to do about it, without a full stop. */
  readonly remedy: string;
  /** When it was seen first: ms since the first telegram; undefined if it was there all the time. */
  readonly at: number | undefined;
}
