import {
  EncoderPort,
  InputSensitivity,
  OutputMode,
  OutputRestart,
  PortLogic,
  PortType,
  portCount,
  SourceCombination,
  type ValueOf,
} from '@azimuth/model';

type PortSettings = ValueOf<'PortConfiguration'>[number];

/** Some members of a port's settings; the others of a plain input. */
export interface Settings {
  readonly PortType?: PortSettings['PortType'];
  readonly Name?: string;
  readonly InputSettings?: Partial<PortSettings['InputSettings']>;
  readonly OutputSettings?: Partial<Omit<PortSettings['OutputSettings'], 'Sources'>>;
  readonly Sources?: readonly (string | { readonly not: string })[];
  readonly EncoderPortType?: PortSettings['EncoderPortType'];
}

/** An input without a name that an edge activates. */
export const plainPort: PortSettings = {
  PortType: PortType.INPUT,
  Name: 'IOx',
  InputSettings: {
    Logic: PortLogic.ACTIVE_HIGH,
    Debounce: 10,
    Sensitivity: InputSensitivity.EDGE,
    Reserved1: 0,
    Reserved2: 0,
  },
  OutputSettings: {
    Logic: PortLogic.ACTIVE_HIGH,
    OutputMode: OutputMode.PNP,
    RestartType: OutputRestart.RESTART_IMMEDATE,
    RestartTime: 200,
    RestartInput: 1,
    Combination: SourceCombination.OR,
    Reserved3: 0,
    Reserved4: 0,
    Sources: [],
  },
  EncoderPortType: EncoderPort.NONE,
  Reserved8: 0,
  Reserved9: 0,
  Reserved10: 0,
};

/** Eight inputs, but for the ports with these settings, by their numbers. */
export function configuration(ports: Readonly<Record<number, Settings>>): ValueOf<'PortConfiguration'> {
  return Array.from({ length: portCount }, (_, index) => {
    const { Sources = [], InputSettings, OutputSettings, ...rest } = ports[index + 1] ?? {};
    return {
      ...plainPort,
      ...rest,
      InputSettings: { ...plainPort.InputSettings, ...InputSettings },
      OutputSettings: {
        ...plainPort.OutputSettings,
        ...OutputSettings,
        Sources: Sources.map((source) => ({
          Name: typeof source === 'string' ? source : source.not,
          Invert: typeof source !== 'string',
          Reserved5: 0,
          Reserved6: 0,
        })),
      },
    };
  });
}
