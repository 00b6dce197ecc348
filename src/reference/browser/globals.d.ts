/** The global variable that the script of the API explorer defines. */
interface Window {
  readonly Scalar: { createApiReference(place: string, configuration: object): unknown }
}
