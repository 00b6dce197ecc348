import type { FieldProblem } from './draft.ts'
import type { Markup } from './markup.ts'

/** The content of a page within the layout. */
export interface Content {
  readonly title: string
  readonly main: Markup
  /** The problems of a form that was submitted. The layout shows them above the content. */
  readonly problems?: readonly FieldProblem[]
  /** Whether the page updates itself while open. Its forms must be short, although an update keeps their values. */
  readonly isLive?: boolean
}
