/**
 * Hours of the Lagos day at which a part of the day starts, by how busy the roads are: night before the first, then morning,
 * noon, afternoon, rush hour, evening. Rows keep the number of the part, so the statements and the plans share this list.
 */
export const hourBucketStarts = [6, 10, 14, 17, 20] as const
