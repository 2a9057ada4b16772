// The limits of the announcements by DNS-SD. The limit of answers is in `network/limits.ts`.

/** Minimum interval (ms) of announcements: several writes are announced together. */
export const announcementInterval = 1000;
