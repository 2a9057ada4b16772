// Limits of uploads and downloads. The model has the largest sizes of files. Sizes are in bytes.

/** Size of all files in memory that are being sent. If several clients get the same file, it counts once. */
export const mostSentFileBytes = 40 * 1024 * 1024;

/** Number of simultaneous downloads of the point cloud: each keeps the file open, and uses about 64 KiB. */
export const mostCloudDownloads = 64;

/** Number of simultaneous uploads of parameter backups of the largest size. */
export const largestUploadsAtOnce = 4;

/** Size of a multipart body beside the file. */
export const mostMultipartOverhead = 64 * 1024;

/** Number of parts of a multipart body. */
export const mostParts = 16;

/** Bytes of a multipart body that are parsed before other requests are served. */
export const multipartBytesInOneGo = 512 * 1024;

/** Minimum rate of a firmware file: 32 KiB a second, which is 100 MiB within 54 minutes. */
export const slowestFirmware = { bytes: 320 * 1024, milliseconds: 10_000 } as const;

/** Time (s) after which a firmware file may be sent again that was refused because of another one. */
export const firmwareRetryAfter = 10;
