import type { LoginLevel } from '@azimuth/model';

/** What each level is for, in a few words. */
export const purposes: Readonly<Record<LoginLevel, string>> = {
  Maintenance: 'maintenance',
  AuthorizedClient: 'changes settings and fields',
  Service: 'everything, files and firmware too',
};
