import { group, variable } from '../declaration.js';
import { boolean, enumeration } from '../types/enumeration.js';
import { integer } from '../types/integer.js';

export const LegacyScanMode = {
  ENABLED: 0,
  IP_CONFIG_DISABLED: 1,
  DISABLED: 2,
  IP_CONFIG_TIME_LIMIT: 3,
} as const;

const port = (initial: number) => integer('uint16', { minimum: 1024, initial });

export const legacyProtocols = group('Legacy protocols', {
  EtherAuxEnabled: variable(boolean(true), {
    write: 'AuthorizedClient',
    valueIfAbsent: false,
    text: 'Switches the legacy interfaces A and B on or off.',
  }),
  EtherAuxIPPort: variable(port(2111), {
    write: 'AuthorizedClient',
    since: '2.3.1',
    text: 'TCP port of the legacy text interface A.',
  }),
  EtherHostIPPort: variable(port(2112), {
    write: 'AuthorizedClient',
    since: '2.3.1',
    text: 'TCP port of the legacy binary interface B.',
  }),
  EnableColaScan: variable(boolean(true), {
    write: 'AuthorizedClient',
    until: '2.1.0',
    valueIfAbsent: false,
    text: 'Whether search tools of the vendor find the scanner.',
  }),
  EtherLegacyScanMode: variable(enumeration(LegacyScanMode, LegacyScanMode.IP_CONFIG_TIME_LIMIT), {
    write: 'AuthorizedClient',
    since: '2.1.0',
    aliases: ['EtherCoLaScanMode'],
    valueIfAbsent: LegacyScanMode.DISABLED,
    text: 'Whether search tools find the scanner, and may change its address: always, never, or only after a boot.',
  }),
  EtherSessionTimeout: variable(integer('uint32', { initial: 15_000 }), {
    write: 'Service',
    since: '2.3.1',
    unit: 'ms',
    text: 'If a client has not read its scan data for this time, its connection is closed.',
  }),
});
