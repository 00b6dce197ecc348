import { sql } from 'kysely'

/** What a zone’s fare is multiplied by now. No rise is published anywhere, so it is the plain fare in every zone. */
export const surgeMultiplier = sql<number>`1::double precision`.as('surgeMultiplier')
