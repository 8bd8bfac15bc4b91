/** How long the beginning of a journal is: one in which nothing was stored has no more bytes. */
export const BEGINNING_BYTES = 24;
