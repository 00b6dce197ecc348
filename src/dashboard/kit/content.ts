import type { Markup } from '../../markup/markup.ts'
import type { FieldProblem } from './draft.ts'

export interface Content {
  readonly title: string
  readonly main: Markup
  /** The problems of a form that was submitted. The layout shows them above the content. */
  readonly problems?: readonly FieldProblem[]
  /**
   * Whether the page updates itself while it is open. An update preserves the values that were entered in forms.
   * Nevertheless, such a page may contain only short forms.
   */
  readonly isLive?: boolean
}
