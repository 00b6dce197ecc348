import { html, nothing } from '../../markup/markup.ts'
import { code, facts, heading, section, time } from '../../markup/parts.ts'
import { findRequest } from '../../store/requests/request-list.ts'
import { PageError } from '../kit/page-error.ts'
import { link, withQuery } from '../kit/parts.ts'
import { page } from '../kit/route.ts'
import { may } from '../kit/visit.ts'
import { changesOf, changeTable } from './changes.ts'
import { tokenLink } from './list.ts'
import { responseStatus } from './status.ts'

export const requestPage = page({
  path: '/requests/{id}',
  permission: 'requests:read',
  show: async (visit, { id }) => {
    const { context, tenant } = visit
    const request = await findRequest(context.database, { merchantId: tenant.merchantId, id })
    if (request === undefined)
      throw new PageError(404, 'The request log of the last 7 days does not have this request.')
    const { operation, status, errorCode, durationMs, tokenId, sourceIp, occurredAt } = request
    const changes = may(visit, 'audit:read') ? await changesOf(visit, request) : undefined
    const main = html`${heading(operation, responseStatus(status))}
${facts([
  ['Id', code(request.id)],
  ['Operation', code(operation)],
  ['Status', String(status)],
  ['Error', errorCode === null ? 'none' : link(withQuery('/requests', { status: String(status) }), code(errorCode))],
  ['Duration', `${durationMs} ms`],
  ['Token', tokenLink(visit, tokenId)],
  ['Source address', code(sourceIp)],
  ['Time', time(occurredAt)],
])}
${changes === undefined ? nothing : section('Changes', changeTable(changes))}`
    return { title: operation, main }
  },
})
