/** What went wrong with the embedded server, in one line an operator can act on; anything else that is thrown is a bug. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError'
}

/** Runs an action on files; refusals of the file system become one line that names the folder and the way out. */
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

/** For files that may rightly be missing; every other failure still throws. */
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
