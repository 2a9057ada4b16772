/**
 * Limit for the bytes of a response in JSON or text. The largest of a scanner, its detection history, needs less than
 * 1 MiB.
 */
export const maxResponseBytes = 8 * 1024 * 1024;

/** Limit for the bytes of a response to an upload: an envelope, a word, or nothing. */
export const maxUploadResponseBytes = 1024 * 1024;

/** Limit for the bytes of a backup file. */
export const maxBackupBytes = 16 * 1024 * 1024;

/** Limit for the bytes of a diagnostic archive. */
export const maxArchiveBytes = 256 * 1024 * 1024;

/** Limit for the duration of a file transfer (ms). 100 MB in this time are 7 kB/s. */
export const maxTransferMs = 4 * 60 * 60 * 1000;

/** Number of events that may wait for their reader if the caller sets no limit. */
export const defaultBuffer = 100;

/** Limit for the bytes of telegrams that wait for their reader: 16 MiB. */
export const maxWaitingBytes = 16 * 1024 * 1024;

/** Number of frames of `scans` that may wait for their reader if the caller sets no limit. */
export const defaultFrameBuffer = 2;
