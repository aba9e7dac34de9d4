/// The refusal of a request before it reaches the program.
struct WebRefusal: Error, Equatable {
  let status: Int
  /// A sentence for the client.
  let message: String

  init(_ status: Int, _ message: String) { (self.status, self.message) = (status, message) }
}
