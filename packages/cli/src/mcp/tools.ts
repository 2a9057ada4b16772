import type { InputFormName } from './input-forms.js';

/** A tool: a command of the command line with `--json`, and the inputs of it that a client may give. */
export interface ToolDeclaration {
  readonly title: string;
  /** The words of the command: `sim fault list`. */
  readonly command: string;
  /** Its arguments and options that a client may give, by their names in the command, with the form of each. */
  readonly inputs: Readonly<Record<string, InputFormName>>;
  /** Commands below the command, of which the input `action` chooses one. */
  readonly actions?: readonly string[] | 'all';
  /** Words that are always given. */
  readonly always?: readonly string[];
  /** Values of options that a client does not give. */
  readonly usual?: Readonly<Record<string, string>>;
  /** Name and description of an input that the command reads as text from its standard input. */
  readonly standardInput?: readonly [name: string, text: string];
  /** True if it changes a scanner or a simulation: a person confirms each call. */
  readonly writes?: boolean;
  /** Members of its JSON that a client does not get. */
  readonly withheld?: readonly string[];
  /** True if it prints a picture (PNG) and no JSON. */
  readonly isPicture?: boolean;
  /** Maximum time in s. */
  readonly seconds: number;
}

const ofDevice = { device: 'device' } as const;
const asUser = { device: 'device', user: 'level' } as const;
const atControl = { control: 'control' } as const;

/** All tools by their names. */
export const toolDeclarations: Readonly<Record<string, ToolDeclaration>> = {
  discover: {
    title: 'Search for scanners',
    command: 'discover',
    inputs: { timeout: 'number', address: 'address' },
    seconds: 30,
  },
  devices: {
    title: 'Names of scanners',
    command: 'devices list',
    inputs: {},
    // A command may contain a password, and a path says where one is.
    withheld: ['passwordCommand', 'passwordFile'],
    seconds: 10,
  },
  doctor: {
    title: 'Why no data arrives',
    command: 'doctor',
    inputs: ofDevice,
    seconds: 30,
  },
  status: { title: 'Status of a scanner', command: 'status', inputs: ofDevice, seconds: 20 },
  get: {
    title: 'Read variables',
    command: 'get',
    inputs: { name: 'name', all: 'switch', parameters: 'switch', ...ofDevice },
    seconds: 30,
  },
  describe: {
    title: 'Describe a variable or method',
    command: 'describe',
    inputs: { name: 'name' },
    seconds: 10,
  },
  search: { title: 'Search the interface', command: 'search', inputs: { word: 'text' }, seconds: 10 },
  unsaved: { title: 'Parameters that are not saved', command: 'unsaved', inputs: ofDevice, seconds: 20 },
  diff: {
    title: 'Compare parameters',
    command: 'diff',
    inputs: { side: 'side', ...ofDevice },
    seconds: 30,
  },
  scan: {
    title: 'Picture of a scan',
    command: 'scan',
    inputs: { range: 'number', wait: 'number', listen: 'number', multicast: 'address', ...ofDevice },
    always: ['--png=-'],
    isPicture: true,
    seconds: 40,
  },
  scan_aimed: {
    title: 'Picture of a scan that is sent here for it',
    command: 'scan',
    inputs: { range: 'number', wait: 'number', ...asUser },
    always: ['--aim', '--png=-'],
    isPicture: true,
    writes: true,
    seconds: 60,
  },
  timing: {
    title: 'Judge the times of scan data',
    command: 'timing',
    inputs: { for: 'time', utc: 'switch', listen: 'number', multicast: 'address', ...ofDevice },
    usual: { for: '10s' },
    seconds: 150,
  },
  truth: {
    title: 'Judge the points of a driver',
    command: 'truth',
    inputs: {
      frame: 'word',
      unit: 'word',
      columns: 'columns',
      scan: 'number',
      echoes: 'word',
      stamp: 'word',
      average: 'number',
      count: 'number',
      ...atControl,
    },
    always: ['--points=-'],
    standardInput: ['points', 'The points: a table (CSV) with names of columns, or lines of JSON.'],
    seconds: 90,
  },
  log: {
    title: 'Log of the monitor',
    command: 'log',
    inputs: {
      device: 'device',
      since: 'time',
      until: 'time',
      parameter: 'name',
      kind: 'word',
      condition: 'name',
      limit: 'number',
    },
    usual: { limit: '500' },
    seconds: 30,
  },
  sim_status: { title: 'State of a simulation', command: 'sim status', inputs: atControl, seconds: 20 },
  sim_journal: {
    title: 'What clients did to a virtual scanner',
    command: 'sim journal',
    inputs: { since: 'number', ...atControl },
    seconds: 20,
  },
  sim_fault_list: { title: 'Planned faults', command: 'sim fault list', inputs: atControl, seconds: 20 },
  set: {
    title: 'Write a variable',
    command: 'set',
    inputs: { name: 'name', value: 'text', force: 'switch', ...asUser },
    always: ['--yes'],
    writes: true,
    seconds: 60,
  },
  call: {
    title: 'Call a method',
    command: 'call',
    inputs: { method: 'word', request: 'text', ...asUser },
    always: ['--yes'],
    writes: true,
    seconds: 60,
  },
  save: { title: 'Save parameters', command: 'save', inputs: asUser, writes: true, seconds: 60 },
  reboot: {
    title: 'Reboot a scanner',
    command: 'reboot',
    inputs: { discard: 'switch', ...asUser },
    always: ['--yes'],
    writes: true,
    seconds: 60,
  },
  sim: {
    title: 'Control a simulation',
    command: 'sim',
    actions: [
      'power-cycle',
      'advance',
      'temperature',
      'input',
      'contamination',
      'encoder',
      'reference',
      'synchronised',
      'dhcp',
      'webserver',
    ],
    inputs: atControl,
    writes: true,
    seconds: 60,
  },
  sim_fault_add: {
    title: 'Add a fault to a virtual scanner',
    command: 'sim fault add',
    actions: 'all',
    inputs: atControl,
    writes: true,
    seconds: 20,
  },
  sim_fault_clear: {
    title: 'Remove faults of a virtual scanner',
    command: 'sim fault clear',
    inputs: { id: 'number', ...atControl },
    writes: true,
    seconds: 20,
  },
};
