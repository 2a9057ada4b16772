/** @packageDocumentation @internal */

// In a file of their own: a program that offers PTP loads the messages only when PTP is used.

/** The UDP port of PTP for Sync and Delay_Req, whose time of arrival counts (IEEE 1588-2019, annex C). */
export const ptpEventPort = 319;

/** The UDP port of PTP for all other messages. */
export const ptpGeneralPort = 320;
