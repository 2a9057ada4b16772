import {
  type Edition,
  type Endpoint,
  endpointsOf,
  extensionsOf,
  type FileEndpoint,
  filesOf,
  type Release,
  type Variable,
  type Variant,
} from '@azimuth/model';

/** What of the interface a scanner serves: that of its variant, and of the release that ran when it booted. */
export class ServedInterface {
  readonly #variant: Variant;
  readonly #firmware: { readonly release: Release };
  #edition: Edition;
  #endpoints: ReadonlyMap<string, Endpoint>;
  #files: ReadonlyMap<string, FileEndpoint>;
  #extensions: ReadonlyMap<string, Variable<unknown>>;

  constructor(variant: Variant, firmware: { readonly release: Release }) {
    this.#variant = variant;
    this.#firmware = firmware;
    this.#edition = { release: firmware.release, variant };
    this.#endpoints = endpointsOf(this.#edition);
    this.#files = filesOf(this.#edition);
    this.#extensions = extensionsOf(this.#edition);
  }

  /** A boot: another release may run. */
  boot(): void {
    this.#edition = { release: this.#firmware.release, variant: this.#variant };
    this.#endpoints = endpointsOf(this.#edition);
    this.#files = filesOf(this.#edition);
    this.#extensions = extensionsOf(this.#edition);
  }

  get edition(): Edition {
    return this.#edition;
  }

  /** Everything it serves, by name, aliases included. */
  get endpoints(): ReadonlyMap<string, Endpoint> {
    return this.#endpoints;
  }

  /** What it serves beside the specification under `/x/`, by name. */
  get extensions(): ReadonlyMap<string, Variable<unknown>> {
    return this.#extensions;
  }

  /** The files that it transfers, by name. */
  get files(): ReadonlyMap<string, FileEndpoint> {
    return this.#files;
  }
}
