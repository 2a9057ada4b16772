import { dateAndSystemTime, device } from '@azimuth/model';
import { bundleOf, ecKeys, issue } from '../../support/certificates.js';
import type { SiteScanner } from './site-scanner.js';

const { LocationName } = device.members;
const { TSCTCupdatetime } = dateAndSystemTime.members;

/** What a trouble may act on besides its scanner. */
export interface Site {
  readonly now: () => number;
  readonly loginsLocked: (scanner: string) => void;
}

/** A trouble that is planted at a scanner, and what the log of the monitor has to say about it: that, and nothing else. */
export interface Trouble {
  readonly name: string;
  /** How long it lasts. */
  readonly minutes: number;
  /** True if a scanner of this release can have it. */
  readonly isFor?: (release: string) => boolean;
  /** Plants it. Returns how it ends. */
  readonly plant: (scanner: SiteScanner, site: Site) => Promise<() => unknown>;
  /** Conditions that begin once and end once: identifiers, and the part if there is one. */
  readonly alarms: readonly string[];
  /** Other entries. DeviceStatus and saves are not counted: several things change them. */
  readonly entries: readonly string[];
}

const keys = ecKeys();
const day = 86_400_000;
let changes = 0;

async function setCertificate(scanner: SiteScanner, site: Site, days: number): Promise<void> {
  const from = new Date(site.now() - day);
  const issued = issue({ keys, from, until: new Date(site.now() + days * day), names: ['localhost'] });
  const { contentCertificateBundle, contentPrivateKey } = bundleOf([issued]);
  await scanner.client.setCertificates({
    certificates: contentCertificateBundle,
    privateKey: contentPrivateKey,
  });
}

/** All troubles, each for all releases unless it says otherwise. */
export const troubles: readonly Trouble[] = [
  {
    name: 'a power cut',
    minutes: 40,
    plant: async (scanner) => {
      scanner.powerOff();
      return () => scanner.powerOn();
    },
    alarms: ['unreachable'],
    entries: ['boot'],
  },
  {
    name: 'a short power cut',
    minutes: 0.2,
    plant: async (scanner) => {
      scanner.powerOff();
      return () => scanner.powerOn();
    },
    alarms: [],
    entries: ['boot'],
  },
  {
    name: 'the cable is pulled',
    minutes: 40,
    plant: async (scanner) => scanner.silence({ kind: 'link-down' }),
    alarms: ['unreachable'],
    entries: [],
  },
  {
    name: 'dirt on a sector',
    minutes: 60,
    plant: async ({ running: { hardware } }) => hardware.overrideContamination(0.5, 3),
    alarms: ['contamination-error sector 3'],
    entries: [],
  },
  {
    name: 'heat',
    minutes: 60,
    plant: async ({ running: { hardware } }) => hardware.overrideTemperature(75),
    alarms: ['temperature'],
    entries: [],
  },
  {
    name: 'a clock that is a minute ahead',
    minutes: 60,
    plant: async (scanner) => {
      scanner.faults([{ kind: 'device-clock-step', step: 61_000 }]);
      return () => scanner.faults([{ kind: 'device-clock-step', step: -61_000 }]);
    },
    alarms: ['clock'],
    entries: [],
  },
  {
    name: 'a certificate that ends soon',
    minutes: 130,
    isFor: (release) => release > '2.1.0',
    plant: async (scanner, site) => {
      await setCertificate(scanner, site, 20);
      return () => setCertificate(scanner, site, 3650);
    },
    alarms: ['certificate'],
    entries: [],
  },
  {
    name: 'an update to a release that nobody expects',
    minutes: 60,
    isFor: (release) => release === '1.5.0',
    plant: async (scanner) => {
      await scanner.update('2.2.0');
      return () => scanner.update('2.3.3');
    },
    alarms: ['firmware'],
    entries: ['boot', 'boot', 'Firmware', 'Firmware'],
  },
  {
    name: 'an update',
    minutes: 60,
    isFor: (release) => release === '2.3.3',
    plant: async (scanner) => {
      await scanner.update('2.4.4');
      return () => undefined;
    },
    alarms: [],
    entries: ['boot', 'Firmware'],
  },
  {
    name: 'somebody changes and saves parameters',
    minutes: 150,
    plant: async (scanner) => {
      await scanner.write(LocationName, `Gate ${++changes}`);
      await scanner.write(TSCTCupdatetime, 600 + changes);
      await scanner.client.call('WriteEeprom');
      return () => undefined;
    },
    alarms: [],
    entries: ['LocationName', 'TSCTCupdatetime'],
  },
  {
    name: 'somebody forgets to save',
    minutes: 240,
    plant: async (scanner) => {
      await scanner.write(LocationName, `Gate ${++changes}`);
      return () => scanner.client.call('WriteEeprom');
    },
    alarms: ['unsaved'],
    entries: ['LocationName'],
  },
  {
    name: 'another scanner at the address',
    minutes: 60,
    plant: async (scanner) => {
      await scanner.exchange('99999999');
      return () => scanner.exchange();
    },
    alarms: ['wrong-scanner'],
    entries: ['SerialNumber', 'SerialNumber', 'boot'],
  },
  {
    name: 'a reboot',
    minutes: 10,
    plant: async (scanner) => {
      await scanner.client.call('RebootDevice');
      return () => undefined;
    },
    alarms: [],
    entries: [],
  },
  {
    name: 'a scanner that hangs',
    minutes: 40,
    plant: async (scanner) => scanner.silence({ kind: 'http-half-open' }),
    alarms: ['unreachable'],
    entries: [],
  },
  {
    name: 'a value that cannot be read',
    minutes: 60,
    plant: async (scanner) => scanner.faults([{ kind: 'http-status', endpoint: 'CurrentTempDev' }]),
    alarms: ['malformed'],
    entries: [],
  },
  {
    name: 'measuring is switched off',
    minutes: 60,
    plant: async (scanner) => {
      await scanner.client.call('mStopMeasure');
      return () => scanner.client.call('mStartMeasure');
    },
    alarms: ['not-measuring'],
    entries: [],
  },
  {
    name: 'a fault of the device',
    minutes: 60,
    plant: async (scanner) => scanner.faults([{ kind: 'device-status' }]),
    alarms: ['device-status'],
    entries: [],
  },
  {
    name: 'logins are locked',
    minutes: 10,
    plant: async (scanner, site) => {
      site.loginsLocked(scanner.place.name);
      return () => undefined;
    },
    alarms: ['logins-locked'],
    entries: [],
  },
];
