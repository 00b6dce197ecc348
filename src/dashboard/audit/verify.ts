import { type AuditFault, isUnverified } from '../../audit/audit-fault.ts'
import { faultText } from '../../audit/fault-sentence.ts'
import { headPattern, headTextOf, knownHeadOf } from '../../audit/known-head.ts'
import { type AuditPart, type AuditPosition, faultsOfKnown, verifyAuditPart } from '../../audit/verify-audit.ts'
import { html, type Markup, nothing } from '../../markup/markup.ts'
import { badge, count, heading } from '../../markup/parts.ts'
import { type ChainHead, findHead } from '../../store/audit/chain.ts'
import { QueueRefused } from '../../store/core/keyed-queue.ts'
import type { Content } from '../kit/content.ts'
import { newDraft } from '../kit/draft.ts'
import { nextNote } from '../kit/next-note.ts'
import { PageError } from '../kit/page-error.ts'
import { link, mainLink, withQuery } from '../kit/parts.ts'
import { page } from '../kit/route.ts'
import { openSharedSlots } from '../kit/shared-slots.ts'
import type { Visit } from '../kit/visit.ts'
import { verifyCommand, verifyForm } from './chain-section.ts'
import { auditPath } from './filter.ts'

/**
 * Maximum duration of an audit log verification, short enough for the response of a page. The verification occupies a
 * database connection only during its statements.
 */
const budgetMs = 3_000

/**
 * Runs audit log verifications one at a time, because each occupies a CPU core. Verifications of at most two other
 * merchants wait in a queue, each for at most five seconds.
 */
const inSlot = openSharedSlots({
  ofMerchant: { atOnce: 1, waitingMax: 1, waitMs: 5_000 },
  ofProcess: { atOnce: 1, waitingMax: 2, waitMs: 5_000 },
})

/** Verifies the audit log's hash chain until the time limit, and shows a link that continues the verification. */
export const auditVerification = page({
  path: `${auditPath}/verify`,
  permission: 'audit:read',
  show: async (visit) => {
    const { head = '' } = visit.query
    if (head.trim() !== '' && !headPattern.test(head.trim())) return malformedHead(head)
    const { liveMerchantId } = visit.member.selected
    return inSlot(liveMerchantId, () => verify(visit)).catch(refuseBusy)
  },
})

async function verify(visit: Visit): Promise<Content> {
  const { database } = visit.context
  const { merchantId: chain } = visit.tenant
  const head = await findHead(database, chain)
  const endMs = performance.now() + budgetMs
  const context = { database, signer: visit.vault.signer, chain }
  const from = positionOf(visit.query)
  const known = headOf(visit.query)
  const part = await verifyAuditPart(context, from, () => performance.now() >= endMs)
  if (part === undefined)
    throw new PageError(404, 'The hash chain does not have this position. Start the verification again.')
  const notFound = known === undefined ? [] : await faultsOfKnown(context, knownHeadOf(known))
  return contentOf(visit, { from, part, known, head, faults: [...part.faults, ...notFound] })
}

function refuseBusy(error: unknown): never {
  if (error instanceof QueueRefused)
    throw new PageError(409, 'Other members are verifying audit logs. Try again in a few seconds.')
  throw error
}

const numberPattern = /^\d{1,15}$/
const idPattern = /^aud_[0-9a-z]{26}$/

/** Without a position, the verification starts at the first entry. */
function positionOf({ number = '', row }: Visit['query']): AuditPosition {
  if (!numberPattern.test(number)) return { number: 0, rowId: undefined }
  return { number: Number(number), rowId: row !== undefined && idPattern.test(row) ? row : undefined }
}

/**
 * Returns the head of the audit chain (position and hash) that the URL contains. The verified chain must contain this
 * head.
 */
function headOf({ head = '' }: Visit['query']): string | undefined {
  const text = head.trim()
  return text === '' ? undefined : text
}

function malformedHead(head: string): Content {
  const message = 'Use a position, a colon and 64 hexadecimal digits, such as 4711:9f2c….'
  const draft = { ...newDraft({ head }), problems: [{ field: 'head', message }] }
  const title = 'Verification of the audit log'
  return { title, main: html`${heading(title)}${verifyForm(draft)}<p>${link(auditPath, 'Back to the audit log')}</p>` }
}

interface Verified {
  readonly from: AuditPosition
  readonly part: AuditPart
  readonly known: string | undefined
  /** Undefined if the audit log is empty. */
  readonly head: ChainHead | undefined
  readonly faults: readonly AuditFault[]
}

function contentOf(visit: Visit, { from, part, known, head, faults }: Verified): Content {
  const { reached, isEnd } = part
  const rows = head?.number ?? 0
  const next = withQuery(`${auditPath}/verify`, { number: String(reached.number), row: reached.rowId, head: known })
  const main = html`${heading('Verification of the audit log')}${verdictOf(faults, isEnd ? intactText(from) : 'No fault was found so far.')}
<p>${progressText(from, reached, rows)}</p>
${head === undefined || !isEnd || faults.length > 0 ? nothing : headPart(head)}
${isEnd ? nothing : html`<p>${mainLink(next, 'Continue the verification')}</p>`}
<p>To run the same verification at the command line, without a time limit:</p>${verifyCommand(visit.tenant.merchantId, known)}
<p>${link(auditPath, 'Back to the audit log')}</p>`
  return { title: 'Verification of the audit log', main }
}

/** The script adds the main action of the page, which copies the head of the chain. */
function headPart(head: ChainHead): Markup {
  return html`${nextNote('Copy the head of the chain, and store it outside the service.')}
<p><code data-copy="main">${headTextOf(head)}</code></p><p>A later verification finds this head in the chain, unless a row before the head was replaced.</p>`
}

/**
 * Returns the sentence about an audit log verification that found no faults. If the verification started in the middle
 * of the chain, the sentence says nothing about earlier entries.
 */
function intactText({ number, rowId }: AuditPosition): string {
  if (rowId !== undefined) return `No row after ${rowId} was inserted.`
  if (number === 0) return 'No row was changed, deleted or inserted afterwards.'
  return `No row after position ${count(number)} was changed or deleted, and no row was inserted.`
}

function progressText(from: AuditPosition, reached: AuditPosition, rows: number): string {
  if (from.number === 0)
    return `${count(reached.number)} of ${count(rows)} linked rows are verified. A row is linked when its hash is in the chain. The worker links new rows every minute, so the newest rows may not be verified yet.`
  return `The verification started after position ${count(from.number)} and reached position ${count(reached.number)} of ${count(rows)}.`
}

function verdictOf([first, ...others]: readonly AuditFault[], intact: string): Markup {
  if (first === undefined) return html`<p>${badge('intact', 'good')} ${intact}</p>`
  const entry = 'auditId' in first ? mainLink(`${auditPath}/${first.auditId}`, 'Open the row') : nothing
  const label = badge(isUnverified(first) ? 'not verified' : 'altered', 'bad')
  return html`<div class="problem" role="alert"><p>${label} ${faultText(first)}${others.length === 0 ? nothing : ` The log has ${others.length} more faults.`}</p>${entry}</div>`
}
