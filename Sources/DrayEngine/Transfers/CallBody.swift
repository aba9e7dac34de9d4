internal import DrayCore

/// The body of a request to an API or an object store. The answer to such a request is kept in memory.
enum CallBody: Sendable {
  case bytes([UInt8])
  case buffer(any CallBuffer)

  var count: Int {
    switch self {
    case .bytes(let bytes): bytes.count
    case .buffer(let buffer): buffer.bytes.count
    }
  }

  func withBytes<Value>(_ body: (UnsafeRawBufferPointer) -> Value) -> Value {
    switch self {
    case .bytes(let bytes): bytes.withUnsafeBytes { body($0) }
    case .buffer(let buffer): body(buffer.bytes)
    }
  }
}
