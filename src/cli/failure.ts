/** Something the person at the command line has to know of; the message is all they see. */
export class CommandFailure extends Error {}

/** The command was written wrongly, so nothing was tried. */
export class UsageError extends Error {}
