import { note } from '../ledger.ts'
import type { Run } from '../observe.ts'

/** Checks that the `docUrl` of each error in a response returns 200. Pages on another host are skipped. */
export async function checkDocs(run: Run): Promise<void> {
  for (const [docUrl, { operation, request }] of run.ledger.docUrls) {
    const page = await run.client.open(docUrl)
    if (page === undefined) continue
    const response = { request, status: page.status, headers: new Headers(), text: '', body: undefined }
    const reasons = page.status === 200 ? [] : [`Its docUrl ${docUrl} returns ${page.status}.`]
    note(run.ledger, { operation, check: 'docs', response }, reasons)
  }
}
