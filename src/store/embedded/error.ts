/** An operational error of the embedded server, with a one-line message that an operator can act on. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError'
}

/**
 * Runs a file operation. Converts file system errors to an EmbeddedPostgresError that names the folder and a solution.
 */
export async function explainingFolder<Result>(folder: string, action: () => Promise<Result>): Promise<Result> {
  try {
    return await action()
  } catch (error) {
    const meaning = FOLDER_PROBLEMS[codeOf(error) ?? '']
    if (meaning === undefined) throw error
    const message = `The embedded PostgreSQL cannot use ${folder}: ${meaning} (${codeOf(error)}).`
    throw new EmbeddedPostgresError(`${message} Choose another data folder or set DATABASE_URL.`, { cause: error })
  }
}

export function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error && 'code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

/** Returns the result of a file operation; undefined when the file does not exist. Other errors are rethrown. */
export async function unlessMissing<Result>(action: Promise<Result>): Promise<Result | undefined> {
  try {
    return await action
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

const FOLDER_PROBLEMS: Readonly<Record<string, string>> = {
  EACCES: 'this account may not read and write there',
  EPERM: 'this account may not read and write there',
  EROFS: 'it is on a read-only file system',
  ENOTDIR: 'a part of its path is a file',
  EEXIST: 'a file is in its place',
  ENOSPC: 'the disk is full',
}
