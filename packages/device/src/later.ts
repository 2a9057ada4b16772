import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';
import { Fault } from '@azimuth/model';

/** Files that may be open at a time while one part is loaded: the largest has 24 modules, and needs as many. */
const filesOfPart = 40;

/** How long (ms) until a part that nobody can ask for again is tried again. */
const retryAfter = 1000;

/** The process has as many files and connections open as it may, or the whole machine has. */
export class TooFewFiles extends Fault {
  constructor() {
    super('internalServerError', '', 'too many files and connections are open in this process: try again');
  }
}

/** The end of the last load that was asked for, of the whole process: parts are loaded one after the other. */
let lastLoad: Promise<unknown> = Promise.resolve();

/**
 * A part of the program that is loaded when it is needed for the first time, so that a scanner starts without it. Once
 * loaded it is there for every scanner of the process.
 */
export class Later<T> {
  readonly #load: () => Promise<T>;
  #part: T | undefined;
  #untilLoaded: Promise<T> | undefined;

  /** @param load imports the part; it waits for no other part */
  constructor(load: () => Promise<T>) {
    this.#load = load;
  }

  /** The part; undefined until it was loaded. */
  get part(): T | undefined {
    return this.#part;
  }

  /**
   * The part, loaded where it is not there yet. One that could not be loaded can be asked for again.
   * @throws TooFewFiles while this process can open no more files
   */
  async loaded(): Promise<T> {
    if (this.#part !== undefined) return this.#part;
    const load = lastLoad.then(() => this.#loadNow());
    lastLoad = load.catch(() => undefined);
    return load;
  }

  async #loadNow(): Promise<T> {
    if (this.#part !== undefined) return this.#part;
    // Node remembers a module whose file could not be opened, and fails for good: so nothing is begun that may fail.
    if (!canOpen(filesOfPart)) throw new TooFewFiles();
    this.#part = await this.#load();
    return this.#part;
  }

  /**
   * As `loaded`, for work of the scanner's own, which no client asks for again: waits while too few files can be opened.
   * @param short is told once where it has to wait
   */
  untilLoaded(short: (error: TooFewFiles) => void): Promise<T> {
    this.#untilLoaded ??= this.#persist(short).finally(() => {
      this.#untilLoaded = undefined;
    });
    return this.#untilLoaded;
  }

  async #persist(short: (error: TooFewFiles) => void): Promise<T> {
    for (let told = false; ; told = true) {
      try {
        return await this.loaded();
      } catch (error) {
        if (!(error instanceof TooFewFiles)) throw error;
        if (!told) short(error);
        await new Promise((resolve) => setTimeout(resolve, retryAfter).unref());
      }
    }
  }
}

/** Can this process open so many more files? */
function canOpen(count: number): boolean {
  const opened: number[] = [];
  try {
    while (opened.length < count) opened.push(openSync(devNull, 'r'));
    return true;
  } catch (error) {
    return !(
      error instanceof Error &&
      'code' in error &&
      (error.code === 'EMFILE' || error.code === 'ENFILE')
    );
  } finally {
    for (const file of opened) closeSync(file);
  }
}
