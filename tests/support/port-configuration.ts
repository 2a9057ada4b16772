import { inputsAndOutputs, type ValueOf } from '@azimuth/model';

const { PortConfiguration } = inputsAndOutputs.members;

type PortSettings = ValueOf<'PortConfiguration'>[number];

/** Some members of a port's settings; the others as delivered. */
export interface Settings {
  readonly PortType?: PortSettings['PortType'];
  readonly Name?: string;
  readonly InputSettings?: Partial<PortSettings['InputSettings']>;
  readonly OutputSettings?: Partial<Omit<PortSettings['OutputSettings'], 'Sources'>>;
  readonly Sources?: readonly (string | { readonly not: string })[];
  readonly EncoderPortType?: PortSettings['EncoderPortType'];
}

/** Eight ports with these settings, by the number of the port. */
export function configuration(ports: Readonly<Record<number, Settings>>): ValueOf<'PortConfiguration'> {
  return PortConfiguration.type.initial.map((delivered, index) => {
    const { Sources = [], InputSettings, OutputSettings, ...rest } = ports[index + 1] ?? {};
    return {
      ...delivered,
      ...rest,
      InputSettings: { ...delivered.InputSettings, ...InputSettings },
      OutputSettings: {
        ...delivered.OutputSettings,
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
