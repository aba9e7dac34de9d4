// What all requests of one transfer share, whichever of its connections makes them.

internal import Curl
internal import DrayCore

/// A transfer's task, and whom it works with. Lives on the loop's thread.
struct TransferContext {
  var plan: TransferPlan
  let outside: Transfer
  let observer: any TransferObserver
  let shared: SharedMemory
  let transport: TransportMemory
}

/// The version of a file that the connections of a crew fetch.
struct CrewFile {
  let part: any PartStorage
  let size: Int64
  /// What identifies the version at the first server.
  let validators: Validators
  /// The digests that the first server offers.
  let offered: [SourcedDigest]
  /// Answers so far that contradicted themselves.
  let wrongParts: Int
}
