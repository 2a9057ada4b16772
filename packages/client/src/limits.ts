/** Bytes of a reply in JSON or text. The largest of a scanner, its detection history, needs less than 1 MiB. */
export const longestReply = 8 * 1024 * 1024;

/** Bytes of a reply to an upload: an envelope, a word, or nothing. */
export const longestUploadReply = 1024 * 1024;

/** Bytes of a backup file. */
export const longestBackup = 16 * 1024 * 1024;

/** Bytes of a diagnostic archive. */
export const longestArchive = 256 * 1024 * 1024;

/** How long a file may be on its way (ms). 100 MB in this time are 7 kB/s. */
export const longestTransfer = 4 * 60 * 60 * 1000;

/** Events that wait for their reader if the caller sets no limit. */
export const usualBuffer = 100;

/** Bytes of telegrams that wait for their reader: 16 MiB. */
export const mostWaitingBytes = 16 * 1024 * 1024;

/** Frames of `scans` that wait for their reader if the caller sets no limit. */
export const usualFrames = 2;
