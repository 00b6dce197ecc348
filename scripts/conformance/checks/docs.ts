import { note } from '../ledger.ts'
import type { Run } from '../observe.ts'

/** The page that each error met points to is there. Pages of another host are not asked. */
export async function checkDocs(run: Run): Promise<void> {
  for (const [docUrl, { operation, asked }] of run.ledger.docUrls) {
    const page = await run.client.open(docUrl)
    if (page === undefined) continue
    const answered = { asked, status: page.status, headers: new Headers(), text: '', body: undefined }
    const reasons = page.status === 200 ? [] : [`Its docUrl ${docUrl} answers ${page.status}.`]
    note(run.ledger, { operation, check: 'docs', answered }, reasons)
  }
}
