// Limits of the requests to a time server, and of PTP messages. The limits of a PTP slave itself are in
// `packages/device/src/date-and-system-time/ptp/limits.ts`.

/** Time limit for a response (ms). */
export const responseTimeout = 2000;

/** Number of PTP messages a second that are inspected: from one address, and from all together. */
export const messagesPerSender = 500;
export const messagesTogether = 2000;

/** Time (ms) after which PTP ports that cannot be opened are tried again. */
export const reopenPtpAfter = 5000;
