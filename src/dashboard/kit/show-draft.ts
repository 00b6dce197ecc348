import type { Draft } from './draft.ts'
import { memberPage } from './layout.ts'
import { pageResponse } from './respond.ts'
import type { Action } from './route.ts'
import type { Match } from './routing.ts'
import type { Site } from './site.ts'
import type { Visit } from './visit.ts'

interface ShownDraft extends Draft {
  /** Defaults to 422. */
  readonly status?: number
}

/** Shows the form of an action again, with the submitted values and their problems. */
export async function showDraft(
  site: Site,
  visit: Visit,
  { route, params }: Match<Action>,
  draft: ShownDraft,
  notice?: string,
): Promise<Response> {
  const content = await route.form(visit, params, draft)
  return pageResponse(
    memberPage(site.assets, visit, { ...content, problems: draft.problems }, notice),
    visit.requestId,
    draft.status ?? 422,
  )
}
