/** The time in Lagos is UTC plus one hour all year. */
export const lagosOffsetMs = 60 * 60 * 1000
