// The context that all requests of a transfer share, on any of its connections.

internal import Curl
internal import DrayCore

/// A transfer's task and collaborators. Confined to the loop's thread.
struct TransferContext {
  var plan: TransferPlan
  let outside: Transfer
  let observer: any TransferObserver
  let shared: SharedMemory
  let transport: TransportMemory
}

/// The version of a file that the connections of a group fetch.
struct GroupFile {
  let part: any PartStorage
  let size: Int64
  /// The validators of the version at the first server.
  let validators: Validators
  /// The digests that the first server offers.
  let offered: [SourcedDigest]
  /// The number of answers so far that contradicted themselves.
  let wrongParts: Int
}
