/// The name of a prepared statement on its connection, and the types of its parameters.
struct PreparedStatement {
  let name: String
  let parameters: [PostgresType]
}

/// The values of a statement's parameters in one piece of memory, as libpq wants them.
struct EncodedArguments {
  private var bytes: [CChar] = []
  private var places: [Int?] = []
  private var lengths: [CInt] = []
  private var formats: [CInt] = []

  init(_ arguments: PostgresArguments, as types: [PostgresType]) throws(PostgresError) {
    guard arguments.values.count == types.count else {
      throw .mismatch("\(arguments.values.count) arguments for \(types.count) parameters")
    }
    for (index, value) in arguments.values.enumerated() {
      let encoded: EncodedValue
      do {
        encoded = try PostgresEncoding.encode(value, as: types[index])
      } catch {
        throw .mismatch("$\(index + 1): \(error.message)")
      }
      // libpq takes a zero byte for the end of a text.
      if !encoded.isBinary, encoded.bytes?.contains(0) == true {
        throw .mismatch("$\(index + 1): a text with a zero byte")
      }
      places.append(encoded.bytes == nil ? nil : bytes.count)
      lengths.append(CInt(encoded.bytes?.count ?? 0))
      formats.append(encoded.isBinary ? 1 : 0)
      if let encoded = encoded.bytes { bytes += encoded.map { CChar(bitPattern: $0) } + [0] }
    }
  }

  /// Calls `body` with libpq's arrays: values, lengths, formats.
  func withPointers<Result>(
    _ body: (CInt, LibPQ.Texts?, UnsafePointer<CInt>?, UnsafePointer<CInt>?) -> Result
  ) -> Result {
    bytes.withUnsafeBufferPointer { bytes in
      let values = places.map { place in place.flatMap { bytes.baseAddress?.advanced(by: $0) } }
      return values.withUnsafeBufferPointer { body(CInt(values.count), $0.baseAddress, lengths, formats) }
    }
  }
}
