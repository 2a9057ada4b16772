// The limits of uploads and downloads. The model has the largest sizes of files. Sizes are in bytes.

/** Files in memory that are being sent. If several clients get the same file, it counts once. */
export const mostSentFileBytes = 40 * 1024 * 1024;

/** Downloads of the point cloud at the same time: each keeps the file open, and uses about 64 KiB. */
export const mostCloudDownloads = 64;

/** Parameter backups: as many uploads of the largest size may be under way at the same time. */
export const largestUploadsAtOnce = 4;

/** What a multipart body may have beside the file. */
export const mostMultipartOverhead = 64 * 1024;

/** Parts of a multipart body. */
export const mostParts = 16;

/** Bytes of a multipart body that are parsed before other requests are served. */
export const multipartBytesInOneGo = 512 * 1024;

/** Minimum rate of a firmware file: 32 KiB a second, which is 100 MiB within 54 minutes. */
export const slowestFirmware = { bytes: 320 * 1024, milliseconds: 10_000 } as const;

/** In seconds: a firmware file that is refused because of another one may be sent again after this time. */
export const firmwareRetryAfter = 10;
