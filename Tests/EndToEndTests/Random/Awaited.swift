// What is not drawn yet, because it would find a defect that is known and not mended. Empty is what this should be.

/// The draws that wait for a mend.
enum Awaited {
  /// Clients, each with what it would find.
  static let clients: Set<Client> = [
    // Bytes that are left over on a connection become the next job's answer.
    .leftover,
    // A mirror that changes after it was sampled is mixed in.
    .mirrored,
  ]

  /// Lies, likewise.
  static let lies: Set<Lie> = [
    // A 206 whose length contradicts its range is used.
    .contradictedLength, .contradictedChunks,
    // A part's Content-Digest is not looked at.
    .corrupt,
  ]
}
