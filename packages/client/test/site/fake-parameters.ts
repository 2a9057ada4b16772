import { ScannerError, UnreachableError } from '../../src/index.js';

/** A scanner in memory: working and stored parameters, and its requests. */
export class FakeParameters {
  readonly working: Map<string, unknown>;
  stored: Map<string, unknown> | undefined;
  readonly requests: string[] = [];
  /** Called before each write; an error that it throws refuses the value. */
  onWrite: (name: string, value: unknown) => void = () => undefined;
  onSave: () => void = () => undefined;
  saveResponse: unknown = { Success: true };

  constructor(values: Readonly<Record<string, unknown>>, { tellsStored = true } = {}) {
    this.working = new Map(Object.entries(values));
    this.stored = tellsStored ? new Map(this.working) : undefined;
  }

  async readAny(name: string): Promise<unknown> {
    if (name === 'x/stored' && this.stored !== undefined) {
      return Object.fromEntries([...this.stored].map(([each, value]) => [each.replace(/^x\//, ''), value]));
    }
    if (!this.working.has(name)) throw new ScannerError(name, 5, '', '');
    return this.working.get(name);
  }

  async writeAny(name: string, value: unknown): Promise<void> {
    this.requests.push(`${name}=${JSON.stringify(value)}`);
    this.onWrite(name, value);
    this.working.set(name, value);
  }

  async callAny(name: string): Promise<unknown> {
    this.requests.push(name);
    this.onSave();
    if (this.stored !== undefined) this.stored = new Map(this.working);
    return this.saveResponse;
  }
}

export const refusal = (name: string, status: number) => new ScannerError(name, status, '', 'because');
export const unreachable = () => new UnreachableError('http://127.0.0.1', 'ECONNREFUSED', undefined);
