/** @packageDocumentation @experimental */

// Apart from the messages: a program that offers PTP need not load them before it is used.

/** The UDP port of PTP for Sync and Delay_Req, whose time of arrival counts (IEEE 1588-2019, annex C). */
export const ptpEventPort = 319;

/** The UDP port of PTP for all other messages. */
export const ptpGeneralPort = 320;
