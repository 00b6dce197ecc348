/** Maximum length of the reason for closing a shipment or resolving an exception, as long as a cancellation note. */
export const reasonMaxLength = 280
