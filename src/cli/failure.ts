/** A command failed. Only the message is printed. */
export class CommandFailure extends Error {}

/** The command line is invalid. Nothing was done. */
export class UsageError extends Error {}

/** Returns the failure for an unknown record. It mentions the mode, because the record may exist in the other one. */
export function notFound(what: string): CommandFailure {
  return new CommandFailure(
    `The merchant has no ${what}. Live and test records are separate: try --mode test, or --mode live.`,
  )
}
