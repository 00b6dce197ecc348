export function expectEqual(found: unknown, expected: unknown, message: string): void {
  const [one, other] = [JSON.stringify(found), JSON.stringify(expected)]
  if (one !== other) throw new Error(`${message} Found ${one} instead of ${other}.`)
}
