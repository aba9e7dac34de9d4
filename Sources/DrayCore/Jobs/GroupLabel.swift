/// The number and the name of a group, as lists show them with a job.
public struct GroupLabel: Sendable, Hashable {
  /// The number.
  public var id: GroupID
  /// The name for people. Other groups may have the same name.
  public var name: String

  /// Creates a label.
  public init(id: GroupID, name: String) { (self.id, self.name) = (id, name) }
}
