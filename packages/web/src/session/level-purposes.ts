import type { LoginLevel } from '@azimuth/model';

/** What each level is for, in a few words. */
export const purposes: Readonly<Record<LoginLevel, string>> = {
  Maintenance: 'switches outputs and groups of fields, and lets the lamps blink',
  AuthorizedClient: 'changes settings and fields',
  Service: 'everything, files and firmware too',
};
