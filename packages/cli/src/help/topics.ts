import { exitCodeLines } from '../command-failure.js';

/** A topic of `azimuth help` that concerns several commands. */
export interface Topic {
  readonly name: string;
  readonly summary: string;
  readonly lines: readonly string[];
}

export const topics: readonly Topic[] = [
  {
    name: 'devices',
    summary: 'how to say which scanners a command acts on',
    lines: [
      'A command acts on the scanner of --device, or of AZIMUTH_DEVICE, or else on',
      'http://127.0.0.1:8080.',
      '',
      '  azimuth get LocationName --device http://192.168.0.1',
      '',
      'Give a scanner a name, and use it behind an @, in front of the other words:',
      '',
      '  azimuth devices add hall/gate3 http://192.168.0.3',
      '  azimuth get @hall/gate3 LocationName',
      "  azimuth get '@hall/*' LocationName     all scanners of the group hall",
      '',
      'Several --device, a group, a pattern or @* stand for several scanners. They are',
      'served side by side. Each line of output begins with the name of its scanner. If',
      'some fail, the others go on, and the end says which failed and why. Before they',
      'reboot, get the same name or address, or lose data, the command asks (--yes: not).',
      '',
      '  azimuth backup @hall/* backups/{date}/{scanner}.json     a file for each',
      '',
      'azimuth discover finds scanners. docs/command.md says more.',
    ],
  },
  {
    name: 'passwords',
    summary: 'where passwords come from, and what happens to wrong ones',
    lines: [
      'Reading needs no password. What changes a scanner needs a login at the user level',
      'of --user: Service (the default), AuthorizedClient or Maintenance.',
      '',
      'The password comes from the first of these that there is:',
      '',
      '  --password-file FILE                  the first line of a file',
      '  the devices file                      azimuth devices add NAME URL --password-command …',
      '  AZIMUTH_PASSWORD                      the password itself',
      '  the terminal                          the command asks, and shows nothing',
      '',
      'A password is never an option: everybody on the computer could read it there.',
      'Five wrong passwords in a row lock all logins for 30 s.',
      '',
      'azimuth password LEVEL changes a password. docs/security.md says more.',
    ],
  },
  {
    name: 'values',
    summary: 'how to type values, members and lists',
    lines: [
      'azimuth describe NAME shows what a variable takes.',
      '',
      '  text           azimuth set LocationName Gate 3',
      '  boolean        azimuth set ScanDataEnable on        (on, off, true, false, yes, no, 1, 0)',
      '  number         azimuth set TSCTCupdatetime 60',
      '  name of value  azimuth set EtherAddressingMode TX_IP_DHCP        (or its number)',
      '  address        azimuth set EtherIPAddress 192.168.0.7',
      '  member         azimuth set ScanDataEthSettings Port=2116         (the others stay)',
      '  member below   azimuth set ScanDataConfig RemDataConfig.bEnable=off',
      '  item           azimuth set PortConfiguration 0.Name="Gate 3"     (the first is 0)',
      '  JSON           azimuth set LFPangleRangeFilter \'{"bEnable":true, …}\'',
      '',
      'A value that begins with a dash goes behind --: azimuth set LocationName -- -x',
    ],
  },
  {
    name: 'exit-codes',
    summary: 'what the exit code of a command means',
    lines: [...exitCodeLines, '', 'A failure prints one line on stderr. With --json, the line is JSON.'],
  },
  {
    name: 'environment',
    summary: 'environment variables that replace options',
    lines: [
      '  AZIMUTH_DEVICE        the scanner: a URL, or @NAME',
      '  AZIMUTH_USER          the user level to log in as',
      '  AZIMUTH_PASSWORD      its password',
      '  AZIMUTH_NEW_PASSWORD  the new password of azimuth password',
      '  AZIMUTH_PASSPHRASE    the passphrase of backup files',
      '  AZIMUTH_DEVICES       the file with the names of scanners',
      '  AZIMUTH_CONTROL       URL of the control port, for azimuth sim',
      '  NO_COLOR              pictures and tables without colours',
      '',
      'An option counts more than its variable. azimuth serve --help lists the variables',
      'of a virtual scanner.',
    ],
  },
];
