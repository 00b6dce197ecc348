/** Something the person at the command line has to know of; the message is all they see. */
export class CommandFailure extends Error {}

/** The command was written wrongly, so nothing was tried. */
export class UsageError extends Error {}

/** A merchant's live side and its sandbox are kept apart, and the record may be on the other one. */
export function notFound(what: string): CommandFailure {
  return new CommandFailure(
    `The merchant has no ${what}. Live and test records are kept apart: try --mode test, or --mode live.`,
  )
}
