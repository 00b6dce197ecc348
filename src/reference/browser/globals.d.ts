/** What the explorer's script leaves for its starter. */
interface Window {
  readonly Scalar: { createApiReference(place: string, configuration: object): unknown }
}
