import type { Log, LogFields } from '@azimuth/device';

export interface Line {
  readonly severity: 'info' | 'warn' | 'error';
  readonly message: string;
  readonly facts: LogFields;
}

/** A log that a test can read. */
export class LogBook implements Log {
  readonly lines: Line[] = [];

  info(message: string, facts: LogFields = {}): void {
    this.lines.push({ severity: 'info', message, facts });
  }

  warn(message: string, facts: LogFields = {}): void {
    this.lines.push({ severity: 'warn', message, facts });
  }

  error(message: string, facts: LogFields = {}): void {
    this.lines.push({ severity: 'error', message, facts });
  }

  get errors(): readonly Line[] {
    return this.lines.filter(({ severity }) => severity === 'error');
  }
}
