/**
 * The hours in Lagos at which a traffic period starts. The period before the first hour is night; then follow morning,
 * noon, afternoon, rush hour and evening. Rows store the number of the period, so SQL statements and TypeScript code
 * share this list.
 */
export const hourBucketStarts = [6, 10, 14, 17, 20] as const
