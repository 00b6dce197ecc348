import { z } from 'zod'
import { exportSettledMinutes } from '../values/limits.ts'
import { instant } from '../values/vocabulary.ts'

/** The formats of an export. `json` is the default, because every operation returns JSON (spec 1). */
export const exportFormatNames = ['json', 'ndjson', 'csv'] as const

export type ExportFormat = (typeof exportFormatNames)[number]

/** Media types of the formats of an export. */
export const exportFormats = {
  json: 'application/json',
  ndjson: 'application/x-ndjson',
  csv: 'text/csv',
} as const satisfies Record<ExportFormat, string>

/** Query parameters of every export. */
export const exportParameters = z.strictObject({
  format: z
    .enum(exportFormatNames)
    .default('json')
    .meta({
      default: 'json',
      description:
        'Format of the response: one JSON document, one JSON document on each line, or CSV. In CSV, the fields of nested ' +
        'objects are columns such as `customer.name`.',
      examples: ['ndjson'],
    }),
  createdFrom: instant('Returns only records created at or after this time.').optional(),
  createdTo: instant(
    'Returns only records created before this time. When left out, the time of the request. If a later export continues ' +
      `at this time, send a time at least ${exportSettledMinutes} minutes before the request, because a record may be ` +
      'stored after its creation time.',
  ).optional(),
})
