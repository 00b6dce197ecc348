import { html, type Markup } from '../../markup/markup.ts'
import type { AuditFilter } from '../../store/audit/audit-list.ts'
import { findRecords, TooManyCustomers } from '../../store/audit/found-records.ts'
import { type Draft, type FieldProblem, newDraft } from '../kit/draft.ts'
import { line } from '../kit/fields.ts'
import { mainFilterForm, textField } from '../kit/form.ts'
import { pick } from '../kit/parts.ts'
import { timeRangeFields, timeRangeOf } from '../kit/time-range.ts'
import type { Visit } from '../kit/visit.ts'

export const auditPath = '/audit'

const textFilters = ['actor', 'action', 'resource'] as const

/** Maximum number of characters in a filter of the audit log, more than any id, action or actor name has. */
const textMaxLength = 200

export interface ReadFilter {
  /** The filters of the audit log as the URL contains them, without the pagination cursor. */
  readonly query: Readonly<Record<string, string | undefined>>
  readonly filter: Omit<AuditFilter, 'limit' | 'beforeId'>
  /** State of the filter form, with the problems of filters that are malformed. */
  readonly draft: Draft
}

export function readFilter({ query: given, tenant }: Visit): ReadFilter {
  const query = pick(given, [...textFilters, 'since', 'until'])
  const { since, until, problems } = timeRangeOf(query)
  const texts = textFilters.map((field) => {
    const read = line(textMaxLength).optional().safeParse(query[field])
    return { field, value: read.data ?? null, message: read.error?.issues[0]?.message }
  })
  const invalid = texts.flatMap(({ field, message }) => (message === undefined ? [] : [{ field, message }]))
  const filterOf = (name: (typeof textFilters)[number]) => texts.find(({ field }) => field === name)?.value ?? null
  const { merchantId } = tenant
  const filter = { merchantId, actor: filterOf('actor'), action: filterOf('action'), resourceId: filterOf('resource') }
  return {
    query,
    filter: { ...filter, since, until },
    draft: { ...newDraft(query), problems: [...problems, ...invalid] },
  }
}

/**
 * Checks the record filter of the audit log before an export with this filter is sent. Returns a problem for the form
 * if the filter matches too many records.
 */
export async function recordProblem(
  { context }: Visit,
  { merchantId, resourceId }: ReadFilter['filter'],
): Promise<FieldProblem | undefined> {
  try {
    if (resourceId != null) await findRecords(context.database, merchantId, resourceId)
    return undefined
  } catch (error) {
    return tooManyIn(error)
  }
}

/**
 * Returns the problem to show at a filter of the audit log if the filter matches too many customers. If the error has
 * another cause, throws the error.
 */
export function tooManyIn(error: unknown): FieldProblem {
  if (!(error instanceof TooManyCustomers)) throw error
  return { field: 'resource', message: error.message }
}

export function auditFilterForm(draft: Draft): Markup {
  return mainFilterForm(
    auditPath,
    draft,
    html`${textField(draft, { name: 'actor', label: 'Actor', hint: 'Part of the name or e-mail address of a member, full name of a token, or id', type: 'search' })}
${textField(draft, { name: 'action', label: 'Action', hint: 'An action such as refund.create, or a group such as refund' })}
${textField(draft, { name: 'resource', label: 'Record', hint: 'Order number, name of a customer or member, or id', type: 'search' })}
${timeRangeFields(draft)}`,
  )
}
