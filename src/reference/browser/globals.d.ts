/** The global that the script of the explorer defines. */
interface Window {
  readonly Scalar: { createApiReference(place: string, configuration: object): unknown }
}
