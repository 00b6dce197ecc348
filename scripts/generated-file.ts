/** A file that `npm run generate` derives, with its path relative to the project's folder. */
export interface GeneratedFile {
  readonly path: string
  readonly text: string
}
