import type { PlannedParameter } from '@azimuth/client';

/** Why a parameter is not restored, for a person. */
export function skipWords({ skipped, detail }: Pick<PlannedParameter, 'skipped' | 'detail'>): string {
  switch (skipped) {
    case undefined:
      return '';
    case 'unknown':
      return 'nobody knows a parameter of this name';
    case 'missing':
      return 'this release or variant of the scanner does not have it';
    case 'read-only':
      return 'it cannot be written';
    case 'level':
      return `needs ${detail}`;
    case 'own':
      return 'name and network settings are kept';
    case 'not allowed':
      return detail;
  }
}
