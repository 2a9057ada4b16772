/** The factory login of the level that may do everything. */
export const login = { user: 'Service', password: 'servicelevel' } as const;
