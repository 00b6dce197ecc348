import { type Markup, nothing } from '../../markup/markup.ts'
import { restNote } from './next-note.ts'

/**
 * The next step that a list page shows: a link to the record that needs an action first, or a note that no record needs
 * an action.
 */
export interface ListStep {
  readonly main: Markup
  readonly note: Markup
}

/** The empty next step: for a list without records, and for a member who may not act on the listed records. */
export const noStep: ListStep = { main: nothing, note: nothing }

/**
 * `main` is the link or button for the next step; undefined if no record on the page needs an action. `noun` names one
 * record of the list.
 */
export function listStep(noun: string, main: Markup | undefined): ListStep {
  if (main !== undefined) return { main, note: nothing }
  return { main: nothing, note: restNote(`Nothing to do: no ${noun} on this page needs an action.`) }
}
