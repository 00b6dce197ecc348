/** Returns a number with its noun, such as `1 unit` or `2 units`. */
export function counted(count: number | bigint, noun: string): string {
  return `${count} ${noun}${Number(count) === 1 ? '' : 's'}`
}
