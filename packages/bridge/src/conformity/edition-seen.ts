import {
  builtInInterface,
  type Endpoint,
  endpointsOf,
  isObject,
  isRelease,
  type KnownInterface,
  type Release,
  variants,
} from '@azimuth/model';

const [fullest = 'full'] = variants;
const least = variants.at(-1) ?? fullest;

/** What is known of the interface of the scanner: its declarations, and its release as soon as that has been seen. */
export class EditionSeen {
  readonly known: KnownInterface;
  #release: Release | undefined;
  #all: ReadonlyMap<string, Endpoint> | undefined;
  #certain: ReadonlyMap<string, Endpoint> | undefined;

  constructor(known: KnownInterface = builtInInterface) {
    this.known = known;
    if (known.scanner !== undefined) this.#is(known.scanner.release);
  }

  get release(): Release | undefined {
    return this.#release;
  }

  /** Takes the release from a value of DeviceIdent, if it states one. */
  see(deviceIdent: unknown): void {
    const { Version: version } = isObject(deviceIdent) ? deviceIdent : {};
    const [release = ''] = /^\d+\.\d+\.\d+/.exec(typeof version === 'string' ? version : '') ?? [];
    if (isRelease(release) && release !== this.#release) this.#is(release);
  }

  /** True if no scanner of this release has the name. False as long as the release is not known. */
  lacks(name: string): boolean {
    if (this.known.scanner !== undefined) return this.known.lacks(name);
    return this.#all?.has(name) === false;
  }

  /** True if every scanner of this release has the name. False as long as the release is not known. */
  has(name: string): boolean {
    if (this.known.scanner !== undefined) return this.known.scanner.names.has(name);
    return this.#certain?.has(name) === true;
  }

  #is(release: Release): void {
    this.#release = release;
    this.#all = endpointsOf({ release, variant: fullest });
    this.#certain = endpointsOf({ release, variant: least });
  }
}
