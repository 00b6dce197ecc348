export function mebibytes(bytes: number): string {
  return `${bytes / (1024 * 1024)} MiB`
}
