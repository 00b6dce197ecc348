/** Error of a failed command. Only its message is printed. */
export class CommandFailure extends Error {}

/** Error of an invalid command line. The command has done nothing. */
export class UsageError extends Error {}

/** The message mentions the mode (live or test), because the record may exist in the other mode. */
export function notFound(what: string): CommandFailure {
  return new CommandFailure(
    `The merchant has no ${what}. Live and test records are separate: try --mode test, or --mode live.`,
  )
}
