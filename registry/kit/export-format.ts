import { z } from 'zod'
import { exportSettledMinutes } from '../values/limits.ts'
import { instant } from '../values/vocabulary.ts'

/** The formats of an export. `json` is the default, because every operation returns JSON (spec 1). */
export const exportFormatNames = ['json', 'ndjson', 'csv', 'spreadsheet'] as const

export type ExportFormat = (typeof exportFormatNames)[number]

export const exportFormats = {
  json: { mediaType: 'application/json', extension: 'json' },
  ndjson: { mediaType: 'application/x-ndjson', extension: 'ndjson' },
  csv: { mediaType: 'text/csv', extension: 'csv' },
  spreadsheet: { mediaType: 'text/csv', extension: 'csv' },
} as const satisfies Record<ExportFormat, { readonly mediaType: string; readonly extension: string }>

export const exportParameters = z.strictObject({
  format: z
    .enum(exportFormatNames)
    .default('json')
    .meta({
      default: 'json',
      description:
        'Format of the response: one JSON document, one JSON document on each line, or CSV. In CSV, the fields of nested ' +
        'objects are columns such as `customer.name`. `spreadsheet` is CSV for people: amounts are in naira, times are in Lagos time, and lists are text.',
      examples: ['ndjson'],
    }),
  createdFrom: instant('Returns only records created at or after this time.').optional(),
  createdTo: instant(
    'Returns only records created before this time. When left out, the time of the request. If a later export continues ' +
      `at this time, send a time at least ${exportSettledMinutes} minutes before the request, because a record may be ` +
      'stored some time after its creation time, when this export has already been made.',
  ).optional(),
})
