import { Fault, inputsAndOutputs } from '@azimuth/model';
import type { Parameters } from '../parameters/parameters.js';
import { knownSources, noSource, readingOf } from './output-source.js';

const { PortConfiguration } = inputsAndOutputs.members;

/** Refuses a configuration with an output that is to follow something which does not exist, whatever the port is now. */
export function keepToKnownSources(parameters: Parameters): void {
  parameters.onChanging([PortConfiguration], (change) => {
    for (const [port, { OutputSettings }] of change.read(PortConfiguration).entries()) {
      for (const [source, { Name }] of OutputSettings.Sources.entries()) {
        if (Name === noSource || readingOf(Name) !== undefined) continue;
        throw new Fault(
          'illegalValue',
          `${PortConfiguration.name}[${port}].OutputSettings.Sources[${source}].Name`,
          `${JSON.stringify(Name)} is no source; there are ${knownSources}, and four blanks for none`,
        );
      }
    }
  });
}
