import { z } from 'zod'
import { instant, named, timestamp } from './vocabulary.ts'

/** When something may be fetched or brought, as it is asked for. */
export const Window = named(
  'TimeWindow',
  z
    .strictObject({ from: instant('Not before.'), to: instant('Not after.') })
    .meta({ description: 'A stretch of time of at least ten minutes.' }),
)

/** The same as it is answered. */
export const QuotedWindow = named(
  'QuotedWindow',
  z
    .object({ from: timestamp('Not before.'), to: timestamp('Not after.') })
    .meta({ description: 'A stretch of time of at least ten minutes.' }),
)
