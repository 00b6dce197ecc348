/**
 * Maximum length of the reason for closing a shipment or resolving an exception, the same as for a cancellation note.
 */
export const reasonMaxLength = 280
